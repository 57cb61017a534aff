import { z } from 'zod';
import { MAX_LIST } from '../bounds.js';
import { nullable, orNull, required, REQUIRED, withDefault, type Read } from './reader.js';
import { fields } from './texts.js';

export const integer = (min: number, max: number): z.ZodType<number> => fields.integer({ min, max });
export const optionalInteger = (min: number, max: number): z.ZodType<number | null> => orNull(fields.integer({ min, max }));

export function optionalNumber(min: number, max: number): z.ZodType<number | null> {
  const problem = `must be a number from ${String(min)} to ${String(max)}`;
  const read = (value: unknown) => (typeof value === 'number' && value >= min && value <= max ? { value } : { problem });
  return nullable(read, { type: 'number', minimum: min, maximum: max });
}

/** A decimal with at most two places, as text or number; stored in hundredths (docs/rules/working-time.md#rounding). */
export const amount = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), fields.amount())
  .meta({
    anyOf: [
      { type: 'string', pattern: '^\\d{1,5}(\\.\\d{1,2})?$' },
      { type: 'number', minimum: 0, maximum: 99999.99 },
    ],
    [REQUIRED]: true,
  });

function readBoolean(value: unknown): Read<boolean> {
  return typeof value === 'boolean' ? { value } : { problem: 'must be true or false' };
}

export const boolean = required(readBoolean, { type: 'boolean' });

/** A boolean that is false if it is null or missing. */
export const flag = withDefault(false, readBoolean, { type: 'boolean' });

/** One of several texts or numbers. */
export const oneOf = fields.choice;

/** A list; empty if it is null or missing. */
export function list<T>(element: z.ZodType<T>, max = MAX_LIST): z.ZodType<T[]> {
  return optionalList(element, max).transform((values) => values ?? []);
}

/** A list for which null means "all". If it is too long, its elements are not validated. */
export function optionalList<T>(element: z.ZodType<T>, max = MAX_LIST): z.ZodType<T[] | null> {
  const elements = z
    .array(element, { error: 'must be a list' })
    .nullish()
    .transform((values) => values ?? null);
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.addIssue(`may not have more than ${String(max)} elements`);
    return z.NEVER;
  }, elements);
}
