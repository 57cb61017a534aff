import { archivedChoices, type RecordGroupList } from '@stechuhr/contracts';
import { PAGE_SIZE } from '@stechuhr/kernel';
import { z } from 'zod';
import { uuid } from './values.js';

/** Ids of the examples. */
export const example = {
  employee: '3f0b8a52-6d0e-4c5b-9a53-0c1f3b1e7a10',
  department: '8c7a2a3e-5b43-4a5e-8a0d-5d0f5f7d2b11',
  project: '5e3b5f0a-1c58-4f0e-9a80-3d7c1f1b9c12',
  account: '0df3114d-57ab-421c-9799-fda900f0d2ce',
  other: '7d4f2c9e-88a1-4c3d-b1a5-0e9f6a2b4c13',
} as const;

/** A query parameter; on the wire all values are text. */
export function parameter(description: string, sample: string, schema: Readonly<Record<string, unknown>> = {}): z.ZodType {
  return z
    .string()
    .optional()
    .meta({ description, param: { example: sample }, override: schema });
}

/** The same fields with the descriptions of another schema, and examples. */
export function described(fields: z.ZodObject, like: z.ZodType, samples: Readonly<Record<string, unknown>> = {}): z.ZodObject {
  const words: z.ZodRawShape = like instanceof z.ZodObject ? like.shape : {};
  const shape = Object.entries(fields.shape).map(([name, field]) => {
    const description = descriptionOf(words[name]);
    return [name, field.meta({ ...(description && { description }), ...(name in samples && { param: { example: samples[name] } }) })];
  });
  return z.object(Object.fromEntries(shape) as z.ZodRawShape);
}

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

export const ids = (what: string, sample: string, wrong = 'Invalid ones are ignored; without a valid one the result is empty.') =>
  parameter(`${what}, separated by \`|\`. ${wrong}`, sample, { pattern: `^${UUID}(\\|${UUID})*$` });

export const daterange = (what: string, sample = '2026-10-01|2026-10-31') =>
  parameter(`${what} \`YYYY-MM-DD|YYYY-MM-DD\`, both inclusive; either side may be empty.`, sample, { pattern: `^(${DAY})?\\|(${DAY})?$` });

export const day = (description: string, sample: string) => parameter(description, sample, { format: 'date' });

export const choices = (description: string, words: readonly string[]) => {
  const one = `(${words.join('|')})`;
  return parameter(`${description}: ${words.map((word) => `\`${word}\``).join(', ')}; several separated by \`|\`.`, words[0] ?? '', {
    pattern: `^${one}(\\|${one})*$`,
  });
};

export const order = (fields: readonly string[]) => {
  const one = `-?(${fields.join('|')})`;
  const named = fields.map((field) => `\`${field}\``).join(', ');
  return parameter(`Sorts by ${named}; a leading \`-\` means descending; several fields are separated by \`|\`.`, fields[0] ?? '', {
    pattern: `^${one}(\\|${one})*$`,
  });
};

const DEFAULT = String(PAGE_SIZE.default);
const MAX = String(PAGE_SIZE.max);

/** The parameters of every list. */
export const page = {
  limit: parameter(`Entries per page. Missing or invalid: ${DEFAULT}; above ${MAX}: ${MAX}.`, DEFAULT, {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100,
  }),
  offset: parameter('Entries before the page.', '0', { type: 'integer', minimum: 0, default: 0 }),
};

export const idInPath = (what: string, sample: string) => z.object({ id: uuid(what).meta({ param: { example: sample } }) });

/** The parameters of a list of records. */
export function recordParameters(list: RecordGroupList, sample: string) {
  const taken = new Set<string>(list.takes);
  return z.object({
    ids: ids('Ids', sample),
    ...(taken.has('employee_ids') && { employee_ids: ids('Ids of employees', example.employee) }),
    ...(taken.has('daterange') && { daterange: daterange(`Only ${list.daterange ?? ''}:`) }),
    ...(taken.has('q') && { q: parameter(`Searches for a part of ${list.q ?? ''}, ignoring case.`, 'mül') }),
    ...(taken.has('archived') && {
      archived: parameter(
        '`true`: only archived records; `false`: none of them; `all`: both. The default is `false`, or `all` when `ids` are given.',
        'all',
        { enum: archivedChoices },
      ),
    }),
    order: order(list.order),
    ...page,
  });
}

/** The description of a field, or of its non-null type. */
function descriptionOf(field: z.core.$ZodType | undefined): string | undefined {
  if (field instanceof z.ZodNullable) return descriptionOf(field.unwrap());
  return field === undefined ? undefined : z.globalRegistry.get(field)?.description;
}
