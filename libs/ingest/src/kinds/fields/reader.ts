import { z } from 'zod';

/** The value of a field, or what is wrong with it, as a predicate that follows the field's name (`must be …`). */
export type Read<T> = { readonly value: T } | { readonly problem: string };

/** What a reader accepts, as JSON Schema; the record schemas are built from these. */
export type JsonForm = Readonly<Record<string, unknown>>;

/** Marks required fields, because zod treats them as optional. */
export const REQUIRED = 'x-required';

/** A required field; null counts as missing. */
export function required<T>(read: (value: unknown) => Read<T>, form: JsonForm): z.ZodType<T> {
  const meta = { ...form, [REQUIRED]: true };
  return field((value) => (value === undefined || value === null ? { problem: 'is required' } : read(value)), meta);
}

/** A field whose value is null if it is null or missing. */
export function nullable<T>(read: (value: unknown) => Read<T | null>, form: JsonForm): z.ZodType<T | null> {
  return withDefault(null, read, form);
}

/** A field with a default value, which is used if it is null or missing. */
export function withDefault<T>(missing: T, read: (value: unknown) => Read<T>, form: JsonForm): z.ZodType<T> {
  const meta = { anyOf: [form, { type: 'null' }] };
  return field((value) => (value === undefined || value === null ? { value: missing } : read(value)), meta);
}

/** Accepts null and missing values in addition, and returns null for both. */
export function orNull<T>(inner: z.ZodType<T>): z.ZodType<T | null> {
  return inner.nullish().transform((value) => value ?? null);
}

function field<T>(read: (value: unknown) => Read<T>, meta: JsonForm): z.ZodType<T> {
  // Optional for zod, so that the reader itself reports a missing value.
  return z
    .unknown()
    .optional()
    .transform((value, context) => {
      const result = read(value);
      if ('value' in result) return result.value;
      context.addIssue(result.problem);
      return z.NEVER;
    })
    .meta(meta);
}
