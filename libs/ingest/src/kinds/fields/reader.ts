import { z } from 'zod';

/** What a field turned out to be: its value, or what is wrong with it (`must be …`, said of the field). */
export type Read<T> = { readonly value: T } | { readonly problem: string };

/** What a reader accepts, as JSON Schema: the record schemas are made of it. */
export type JsonForm = Readonly<Record<string, unknown>>;

/** Marks fields that have to be there, which zod takes for optional. */
export const REQUIRED = 'x-required';

/** A field that has to be there; null counts as missing. */
export function required<T>(read: (value: unknown) => Read<T>, form: JsonForm): z.ZodType<T> {
  const meta = { ...form, [REQUIRED]: true };
  return field((value) => (value === undefined || value === null ? { problem: 'is required' } : read(value)), meta);
}

/** A field that is null where it is null or left out. */
export function nullable<T>(read: (value: unknown) => Read<T | null>, form: JsonForm): z.ZodType<T | null> {
  return withDefault(null, read, form);
}

/** A field that has a value also where it is null or left out. */
export function withDefault<T>(missing: T, read: (value: unknown) => Read<T>, form: JsonForm): z.ZodType<T> {
  const meta = { anyOf: [form, { type: 'null' }] };
  return field((value) => (value === undefined || value === null ? { value: missing } : read(value)), meta);
}

/** Null where it is null or left out. */
export function orNull<T>(inner: z.ZodType<T>): z.ZodType<T | null> {
  return inner.nullish().transform((value) => value ?? null);
}

function field<T>(read: (value: unknown) => Read<T>, meta: JsonForm): z.ZodType<T> {
  // Optional for zod, so that the reader reports what is missing.
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
