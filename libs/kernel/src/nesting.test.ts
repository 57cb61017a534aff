import { describe, expect, it } from '@jest/globals';
import { isNestedTooDeep, MAX_NESTING } from './nesting.js';
import { stockFields } from './stock-fields.js';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('isNestedTooDeep', () => {
  it.each([
    [1, false],
    [[], false],
    [[{ a: [null, 'x'] }], false],
    [nested(MAX_NESTING), false],
    [nested(MAX_NESTING + 3), true],
    [nested(400_000), true],
  ])('example %#', (value, expected) => {
    expect(isNestedTooDeep(value)).toBe(expected);
  });
});

describe('a choice', () => {
  it('is rejected however deep a value is nested', () => {
    expect(stockFields.choice('a').safeParse(nested(400_000)).error?.issues[0]?.message).toBe('"…" is not a valid choice.');
  });
});
