import { describe, expect, it } from '@jest/globals';
import { BROKEN, edited, NEXT } from './next.js';

// Detects changes of the edited sources without a cluster.
describe('the version after an upgrade', () => {
  it.each([
    ['a changed schema', NEXT],
    ['a preparation that fails', BROKEN],
  ])('can be derived from the sources: %s', (_name, edits) => {
    const texts = edited(edits);
    for (const { file, replace } of edits) expect(texts.get(file)).toContain(replace);
  });
});
