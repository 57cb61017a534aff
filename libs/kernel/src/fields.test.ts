import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { stockFields } from './stock-fields.js';

const derived = (field: z.ZodType) => {
  const { $schema: _, ...schema } = z.toJSONSchema(field, { io: 'input' });
  return schema;
};

describe('a field', () => {
  it.each<[string, z.ZodType, object]>([
    ['text', stockFields.text(), { type: 'string', minLength: 1, maxLength: 255 }],
    ['a shorter text', stockFields.text(40), { type: 'string', minLength: 1, maxLength: 40 }],
    ['a remark', stockFields.remark(), { type: 'string', maxLength: 10_000 }],
    ['an id', stockFields.uuid(), { type: 'string', format: 'uuid' }],
    ['a date', stockFields.date(), { type: 'string', format: 'date' }],
    ['an integer', stockFields.integer({ min: 1, max: 12 }), { type: 'integer', minimum: 1, maximum: 12 }],
    ['an amount', stockFields.amount(), { type: 'string', pattern: String.raw`^\d{1,5}(\.\d{1,2})?$` }],
    ['a choice', stockFields.choice('a', 'b'), { type: 'string', enum: ['a', 'b'] }],
  ])('reports its own limits: %s', (_, field, schema) => {
    expect(derived(field)).toMatchObject(schema);
  });

  it.each<[z.ZodType, unknown, string]>([
    [stockFields.text(), '  \0', 'Null characters are not allowed.'],
    [stockFields.text(2), 'a\0bc', 'Null characters are not allowed.'],
    [stockFields.text(2), ' \t ', 'This field may not be blank.'],
    [stockFields.integer({ min: 1, max: 12 }), -1.5, 'A valid integer is required.'],
    [stockFields.integer({ min: 1, max: 12 }), 13, 'Ensure this value is less than or equal to 12.'],
    [stockFields.uuid(), 7, 'Must be a valid UUID.'],
    [stockFields.date(), '0000-13-01', 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
  ])('finds one problem (%#)', (field, value, message) => {
    expect(field.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
