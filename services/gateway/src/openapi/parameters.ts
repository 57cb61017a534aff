import { archivedChoices, type RecordGroupList } from '@stechuhr/contracts';
import { PAGE_SIZE, queryPatterns } from '@stechuhr/kernel';
import { z } from 'zod';
import { uuid } from './values.js';

/** Ids for examples. They exist in the demo organization (libs/demo-firm), so that the examples can be tried unchanged. */
export const example = {
  institution: '140b633a-7157-5575-9370-6a20d55eecb8',
  employee: '53f2011f-b5e3-55c3-a619-ce60b8edae1f',
  department: '05f95c8a-57a2-51c3-b386-3ff668c07196',
  project: '5d6c4ddb-4167-542c-be0c-4e654632162f',
  account: '0df3114d-57ab-521c-9799-fda900f0d2ce',
} as const;

/** Returns a query parameter. All values are sent as text, but the example has the type of the schema. */
export function parameter(description: string, sample: string, schema: Readonly<Record<string, unknown>> = {}): z.ZodType {
  const isTyped = schema['type'] === 'integer' || schema['type'] === 'boolean';
  const typed: unknown = isTyped ? JSON.parse(sample) : sample;
  return z
    .string()
    .optional()
    .meta({ description, param: { example: typed }, override: schema });
}

/** Returns the fields with the descriptions of another schema, and with examples. */
export function described(fields: z.ZodObject, like: z.ZodType, samples: Readonly<Record<string, unknown>> = {}): z.ZodObject {
  const words: z.ZodRawShape = like instanceof z.ZodObject ? like.shape : {};
  const shape = Object.entries(fields.shape).map(([name, field]) => {
    const description = descriptionOf(words[name]);
    return [name, field.meta({ ...(description && { description }), ...(name in samples && { param: { example: samples[name] } }) })];
  });
  return z.object(Object.fromEntries(shape) as z.ZodRawShape);
}

export const ids = (what: string, sample: string, wrong = 'Invalid ids are ignored. If no id is valid, the result is empty.') =>
  parameter(`${what}, separated by \`|\`. ${wrong}`, sample, { pattern: queryPatterns.ids });

export const daterange = (what: string, sample = '2026-10-01|2026-10-31') =>
  parameter(`${what} The range has the form \`YYYY-MM-DD|YYYY-MM-DD\`. Both days are inclusive; either side may be empty.`, sample, {
    pattern: queryPatterns.openRange,
  });

export const day = (description: string, sample: string) => parameter(description, sample, { format: 'date' });

export const choices = (description: string, words: readonly string[]) => {
  return parameter(`${description}: ${words.map((word) => `\`${word}\``).join(', ')}. Separate several values by \`|\`.`, words[0] ?? '', {
    pattern: queryPatterns.choices(words),
  });
};

export const order = (fields: readonly string[]) => {
  const named = fields.map((field) => `\`${field}\``).join(', ');
  return parameter(`Sorts by ${named}. A leading \`-\` means descending order. Separate several fields by \`|\`.`, fields[0] ?? '', {
    pattern: queryPatterns.order(fields),
  });
};

const DEFAULT = String(PAGE_SIZE.default);
const MAX = String(PAGE_SIZE.max);

/** The parameters of every list. */
export const page = {
  limit: parameter(`Entries per page; ${DEFAULT} if missing or invalid. Values above ${MAX} count as ${MAX}.`, DEFAULT, {
    type: 'integer',
    minimum: 1,
    maximum: PAGE_SIZE.max,
    default: PAGE_SIZE.default,
  }),
  offset: parameter('Number of entries before the page.', '0', { type: 'integer', minimum: 0, default: 0 }),
};

export const idInPath = (what: string, sample: string) => z.object({ id: uuid(what).meta({ param: { example: sample } }) });

/** The parameter of lists whose records have a time of change. */
export const modifiedSince = parameter(
  'Only records that were created or changed at or after this local time. To keep a copy up to date, omit the parameter in the first reading. In each later reading, pass the time at which the previous one began, minus one minute. Deleted records are not in the list; only events report deletions.',
  '2026-10-01T00:00:00',
  { pattern: queryPatterns.localDateTimeInput },
);

/** The parameters of a list of records. */
export function recordParameters(list: RecordGroupList, sample: Readonly<Record<string, unknown>>) {
  const taken = new Set<string>(list.takes);
  return z.object({
    ids: ids('Ids', String(sample['id'])),
    ...(taken.has('employee_ids') && { employee_ids: ids('Ids of employees', example.employee) }),
    ...(taken.has('daterange') && { daterange: daterange(`Only ${list.daterange ?? ''}.`) }),
    ...(taken.has('q') && { q: parameter(`Searches ${list.q ?? ''} for this text, ignoring case.`, partOfName(sample)) }),
    ...(taken.has('archived') && {
      archived: parameter(
        '`true`: only archived records; `false`: only records that are not archived; `all`: both. The default is `false`, or `all` if `ids` is given.',
        'all',
        { enum: archivedChoices },
      ),
    }),
    modified_since: modifiedSince,
    order: order(list.order),
    ...page,
  });
}

function partOfName({ last_name, name }: Readonly<Record<string, unknown>>): string {
  return String(last_name ?? name)
    .slice(0, 3)
    .toLowerCase();
}

/** Returns the description of a field or, for a nullable field, of its inner type. */
function descriptionOf(field: z.core.$ZodType | undefined): string | undefined {
  if (field instanceof z.ZodNullable) return descriptionOf(field.unwrap());
  return field === undefined ? undefined : z.globalRegistry.get(field)?.description;
}
