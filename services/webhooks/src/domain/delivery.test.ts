import { describe, expect, it } from '@jest/globals';
import { firstDueAt } from './delivery.js';

describe('firstDueAt', () => {
  it.each([
    ['now', 1_000, undefined, 1_000],
    ['when the bus stored it, by a clock that is ahead', 601_000, 1_000, 1_000],
    ['now, by a clock that is behind', 1_000, 601_000, 1_000],
  ])('is %s', (_, now, storedAt, expected) => {
    expect(firstDueAt(now, storedAt)).toBe(expected);
  });
});
