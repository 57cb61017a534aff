import { z } from 'zod';
import { nullable, required, withDefault, type Read } from './reader.js';

const AMOUNT = /^(\d{1,5})(?:\.(\d{1,2}))?$/;

function readInteger(min: number, max: number): (value: unknown) => Read<number> {
  const problem = `must be an integer from ${String(min)} to ${String(max)}`;
  return (value) => (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? { value } : { problem });
}

export const integer = (min: number, max: number): z.ZodType<number> => required(readInteger(min, max));
export const optionalInteger = (min: number, max: number): z.ZodType<number | null> => nullable(readInteger(min, max));

export function optionalNumber(min: number, max: number): z.ZodType<number | null> {
  const problem = `must be a number from ${String(min)} to ${String(max)}`;
  return nullable((value) => (typeof value === 'number' && value >= min && value <= max ? { value } : { problem }));
}

/** A decimal with at most two places, as text or number; stored in hundredths (docs/rules/working-time.md#rounding). */
export const amount = required((value) => {
  const digits = typeof value === 'string' || typeof value === 'number' ? AMOUNT.exec(String(value)) : null;
  if (digits === null) return { problem: 'must be an amount from 0 to 99999.99 with at most two decimals' };
  return { value: Number(digits[1]) * 100 + Number((digits[2] ?? '').padEnd(2, '0')) };
});

function readBoolean(value: unknown): Read<boolean> {
  return typeof value === 'boolean' ? { value } : { problem: 'must be true or false' };
}

export const boolean = required(readBoolean);

/** A switch that is off when it is left out. */
export const flag = withDefault(false, readBoolean);

export function oneOf<const T extends string | number>(...values: readonly T[]): z.ZodType<T> {
  const problem = `must be ${values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`}`;
  return required((value) => {
    const found = values.find((candidate) => candidate === value);
    return found === undefined ? { problem } : { value: found };
  });
}

/** A list; left out or null it is empty. */
export function list<T>(element: z.ZodType<T>): z.ZodType<T[]> {
  return optionalList(element).transform((values) => values ?? []);
}

/** A list that is null for "all". */
export function optionalList<T>(element: z.ZodType<T>): z.ZodType<T[] | null> {
  return z
    .array(element, { error: 'must be a list' })
    .nullish()
    .transform((values) => values ?? null);
}
