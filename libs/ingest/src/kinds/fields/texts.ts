import { fieldsIn, MAX_REMARK, type Fields } from '@stechuhr/kernel';
import type { z } from 'zod';
import { nullable, orNull, required, type Read } from './reader.js';

/** The field types of records, with messages that follow the field's name. */
export const fields: Fields = fieldsIn({
  missing: 'is required',
  null: 'is required',
  text: 'must be text',
  blank: 'may not be blank',
  nul: 'may not contain a NUL character',
  tooLong: (max) => `may not be longer than ${String(max)} characters`,
  uuid: 'must be a UUID',
  date: 'must be a date like 2026-03-31',
  integer: integerProblem,
  tooSmall: integerProblem,
  tooLarge: integerProblem,
  amount: () => 'must be an amount from 0 to 99999.99 with at most two decimals',
  choice: (_, choices) => `must be ${choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`}`,
});

function integerProblem({ min, max = Infinity }: { readonly min: number; readonly max?: number }): string {
  return `must be an integer from ${String(min)} to ${String(max)}`;
}

/** A name, label or number: not blank; surrounding whitespace is trimmed. */
export const text: z.ZodType<string> = fields.text();

/** As `text`, but with the maximum length of a remark. */
export const longText: z.ZodType<string> = fields.text(MAX_REMARK);

/** As `text`, but a blank, null or missing text is null. */
export const optionalText: z.ZodType<string | null> = fields
  .line()
  .nullish()
  .transform((value) => value || null);

/** A text that is empty if it is null or missing. */
export const textOrEmpty: z.ZodType<string> = fields
  .line()
  .nullish()
  .transform((value) => value ?? '');

/** A remark or free value, kept as it was typed. */
export const comment = orNull(fields.remark());

export const uuid: z.ZodType<string> = fields.uuid();
export const optionalUuid = orNull(fields.uuid());

/** A required text that a predicate accepts. */
export function matching<T extends string>(accepts: (value: string) => value is T, problem: string): z.ZodType<T> {
  return required((value) => readMatching(accepts, problem, value), { type: 'string', description: problem });
}

export function optionalMatching<T extends string>(accepts: (value: string) => value is T, problem: string): z.ZodType<T | null> {
  return nullable((value) => readMatching(accepts, problem, value), { type: 'string', description: problem });
}

function readMatching<T extends string>(accepts: (value: string) => value is T, problem: string, value: unknown): Read<T> {
  return typeof value === 'string' && accepts(value) ? { value } : { problem };
}
