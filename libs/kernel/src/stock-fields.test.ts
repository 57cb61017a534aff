import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { jsonTypeName } from './json-type-name.js';
import { stockBoolean, stockFields, stockList } from './stock-fields.js';

const problemsOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message);
const list = stockList(stockFields.choice('a', 'b'), { max: 2 });

it.each([
  [null, 'NoneType'],
  [[], 'list'],
  [{}, 'dict'],
  ['', 'str'],
  [true, 'bool'],
  [-1, 'int'],
  [1.5, 'float'],
])('%j is a %s', (value, name) => {
  expect(jsonTypeName(value)).toBe(name);
});

describe('a list', () => {
  it.each([
    [undefined, 'This field is required.'],
    [null, 'This field may not be null.'],
    ['a', 'Expected a list of items but got type "str".'],
    ['', 'Expected a list of items but got type "str".'],
    ['draft', 'Expected a list of items but got type "str".'],
    [{ length: 9 }, 'Expected a list of items but got type "dict".'],
    [{ a: 1 }, 'Expected a list of items but got type "dict".'],
    [7, 'Expected a list of items but got type "int".'],
    [false, 'Expected a list of items but got type "bool".'],
    [[], 'This list may not be empty.'],
    [['a', 'b', 'a'], 'Ensure this field has no more than 2 elements.'],
    [['c'], '"c" is not a valid choice.'],
  ])('cannot be %j', (value, problem) => {
    expect(problemsOf(list, value)).toEqual([problem]);
  });

  it('may be empty if that is said', () => {
    expect(stockList(stockFields.text(), { max: 1, mayBeEmpty: true }).parse([])).toEqual([]);
    expect(list.parse(['b'])).toEqual(['b']);
  });
});

describe('a text', () => {
  it.each([[[]], [{ length: 0 }], [{}], [0]])('cannot be %j', (value) => {
    expect(problemsOf(stockFields.text(), value)).toEqual(['Not a valid string.']);
  });
});

describe('a boolean', () => {
  it.each([
    [undefined, 'This field is required.'],
    [null, 'This field may not be null.'],
    ['true', 'Must be a valid boolean.'],
    [1, 'Must be a valid boolean.'],
  ])('cannot be %j', (value, problem) => {
    expect(problemsOf(stockBoolean(), value)).toEqual([problem]);
  });
});
