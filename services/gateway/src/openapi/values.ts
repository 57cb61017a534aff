import { queryPatterns } from '@stechuhr/kernel';
import { z } from 'zod';
// Adds the properties of OpenAPI to the metadata of schemas.
import type {} from 'zod-openapi';

/** Returns a UUID of any version. */
export function uuid(description: string): z.ZodString {
  return z.string().meta({ description, override: { format: 'uuid' } });
}

export function text(description: string): z.ZodString {
  return z.string().meta({ description });
}

/** Returns a closed enumeration. */
export function word(words: readonly [string, ...string[]], description: string): z.ZodType<string> {
  return z.enum(words).meta({ description });
}

/** Returns an open enumeration: later versions may add words. */
export function growingWord(words: readonly string[], description: string): z.ZodString {
  return z.string().meta({ description, override: { 'x-extensible-enum': [...words] } });
}

export function date(description: string): z.ZodString {
  return z.string().meta({ description, override: { format: 'date' } });
}

export function localDateTime(description: string): z.ZodString {
  return z.string().meta({ description, override: { pattern: queryPatterns.localDateTime } });
}

export function integer(description: string): z.ZodType<number> {
  return z.number().meta({ description, override: { type: 'integer' } });
}

/** One that may have more than 32 bits, which is all that generators of some languages give to others. */
export function wideInteger(description: string): z.ZodType<number> {
  return z.number().meta({ description, override: { type: 'integer', format: 'int64' } });
}

export function number(description: string): z.ZodNumber {
  return z.number().meta({ description });
}

export function flag(description: string): z.ZodBoolean {
  return z.boolean().meta({ description });
}

export function url(description: string): z.ZodString {
  return z.string().meta({ description, override: { format: 'uri' } });
}

/** Returns the schema of binary content. */
export function binary(description: string): z.ZodString {
  return z.string().meta({ description, override: { format: 'binary' } });
}

/** Returns the schema of a page. It is named after its items: `AbsencePage`. */
export function pageOf(item: z.ZodType): z.ZodObject {
  return z
    .object({
      count: integer('Total number of entries in all pages.'),
      next: url('Address of the next page; null on the last page.').nullable(),
      previous: url('Address of the previous page; null on the first page.').nullable(),
      results: z.array(item),
    })
    .meta({ id: `${nameOf(item)}Page` });
}

function nameOf(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('What a page lists has no name.');
  return id;
}

/** Returns the example of a page that contains all entries of its list. */
export function pageExample(...results: readonly unknown[]): object {
  return { count: results.length, next: null, previous: null, results };
}
