import { describe, expect, it } from '@jest/globals';
import { isUuid } from '@stechuhr/kernel';
import { requestIdOf } from './request-id.js';

describe('requestIdOf', () => {
  it.each(['a', 'A-b_c.9', 'x'.repeat(128)])('takes over %j', (sent) => {
    expect(requestIdOf(sent)).toBe(sent);
  });

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a,b', 'ä', 'a\n', '<script>', 'a/b'])('replaces %j by a UUID', (sent) => {
    expect(isUuid(requestIdOf(sent))).toBe(true);
  });
});
