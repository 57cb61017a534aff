import { recordGroups, type browseV1, type RecordGroupList, type RecordGroupName } from '@stechuhr/contracts';
import type { z } from 'zod';
import { field, localTimeOf, present, shapeOf, type Field, type Fields } from '../openapi/shape.js';
import { localDateTime } from '../openapi/values.js';

type Wire = NonNullable<browseV1.BrowsedRecord['record']>;
type Values = { readonly [C in Wire['$case']]: Extract<Wire, { readonly $case: C }>['value'] };

/** One group of read-only records. */
export interface RecordGroup {
  readonly wireGroup: browseV1.RecordGroup;
  /** The path below the base path, without leading and trailing slashes. */
  readonly path: string;
  /** Singular and plural: `titles` for headings, `nouns` for sentences. */
  readonly titles: readonly [string, string];
  readonly nouns: readonly [string, string];
  /** The descriptions of one record and of the list. */
  readonly descriptions: readonly [string, string];
  /** An additional note in the reference. */
  readonly note: string | undefined;
  readonly list: RecordGroupList;
  readonly schema: z.ZodType;
  readonly example: Readonly<Record<string, unknown>>;
  toJson(record: browseV1.BrowsedRecord | undefined): object;
}

const UNKNOWN = 'null for records from before version 0.2';
const created_at: Field<browseV1.BrowsedRecord, string | null> = field(
  localDateTime(`When the record was created on this platform; ${UNKNOWN}.`).nullable(),
  '2026-10-01T09:30:00',
  ({ createdAt }) => localTimeOf(createdAt),
);
const modified_at: Field<browseV1.BrowsedRecord, string | null> = field(
  localDateTime(`When the record was last changed, at first the time of its creation; ${UNKNOWN} that have not changed since.`).nullable(),
  '2026-10-06T08:12:00',
  ({ modifiedAt }) => localTimeOf(modifiedAt),
);

interface Definition<C extends Wire['$case'], M> extends Pick<RecordGroup, 'wireGroup' | 'path' | 'titles' | 'descriptions'> {
  readonly name: RecordGroupName;
  /** The case of the oneof that contains such a record. */
  readonly $case: C;
  /** The names in sentences, if they differ from the titles in lower case. */
  readonly nouns?: readonly [string, string];
  readonly note?: string;
  /** Returns the value from which the fields are read. */
  readonly from: (value: Values[C]) => M;
}

/** Defines a group. The fields are passed in a second call, because their types follow from the first. */
export function recordGroup<C extends Wire['$case'], M>(definition: Definition<C, M>): (fields: Fields<M>) => RecordGroup {
  const { name, $case, titles, from, note, ...rest } = definition;
  const [one, several] = titles;
  return (fields) => {
    const { schema, example, toJson } = shapeOf(fields);
    // Applications have their own `created_at`.
    const times = shapeOf('created_at' in fields ? { modified_at } : { created_at, modified_at });
    return {
      nouns: [one.toLowerCase(), several.toLowerCase()],
      ...rest,
      titles,
      note,
      list: recordGroups[name],
      schema: schema.extend(times.schema.shape).meta({ id: one.replaceAll(' ', '') }),
      example: { ...example, ...times.example },
      toJson(message) {
        const { record } = present(message, 'record');
        return { ...toJson(from(present(valueOf(record, $case), $case))), ...times.toJson(present(message, 'record')) };
      },
    };
  };
}

/**
 * Returns the value of a record. The cast is correct because of the comparison, which TypeScript does not narrow through a type parameter.
 */
function valueOf<C extends Wire['$case']>(record: Wire | undefined, $case: C): Values[C] | undefined {
  return record?.$case === $case ? (record.value as Values[C]) : undefined;
}
