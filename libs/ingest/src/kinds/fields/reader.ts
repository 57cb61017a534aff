import { z } from 'zod';

/** What a field turned out to be: its value, or what is wrong with it (`must be …`, said of the field). */
export type Read<T> = { readonly value: T } | { readonly problem: string };

/** A field that has to be there; null counts as missing. */
export function required<T>(read: (value: unknown) => Read<T>): z.ZodType<T> {
  return field((value) => (value === undefined || value === null ? { problem: 'is required' } : read(value)));
}

/** A field that is null where it is null or left out. */
export function nullable<T>(read: (value: unknown) => Read<T | null>): z.ZodType<T | null> {
  return withDefault(null, read);
}

/** A field that has a value also where it is null or left out. */
export function withDefault<T>(missing: T, read: (value: unknown) => Read<T>): z.ZodType<T> {
  return field((value) => (value === undefined || value === null ? { value: missing } : read(value)));
}

/** Null where it is null or left out. */
export function orNull<T>(inner: z.ZodType<T>): z.ZodType<T | null> {
  return inner.nullish().transform((value) => value ?? null);
}

function field<T>(read: (value: unknown) => Read<T>): z.ZodType<T> {
  // Optional for zod, so that the reader reports what is missing.
  return z
    .unknown()
    .optional()
    .transform((value, context) => {
      const result = read(value);
      if ('value' in result) return result.value;
      context.addIssue(result.problem);
      return z.NEVER;
    });
}
