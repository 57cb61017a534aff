import { describe, expect, it } from '@jest/globals';
import { cutText } from './cut-text.js';

describe('a text inside a message', () => {
  it.each([
    ['kurz', 'kurz'],
    ['genau10lan', 'genau10lan'],
    ['länger als zehn', 'länger als…'],
    ['neunlang.🏗', 'neunlang.…'],
    ['achtlang🏗🏗', 'achtlang🏗…'],
    ['\ud83c', '\ufffd'],
    ['neunlang.\ud83c\ud83c', 'neunlang.\ufffd…'],
  ])('%j is shown as %j', (text, shown) => {
    expect(cutText(text, 10)).toBe(shown);
  });
});
