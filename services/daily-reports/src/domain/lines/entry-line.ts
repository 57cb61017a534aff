import { createHash } from 'node:crypto';
import {
  defineKind,
  flag,
  nearDate,
  optionalLocalDateTime,
  optionalUuid,
  text,
  uuid,
  type Kind,
  type Reference,
} from '@stechuhr/ingest/kinds';
import { isNestedTooDeep } from '@stechuhr/kernel';
import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import { z } from 'zod';

/** The content of an entry line. The form determines how its value is parsed. */
export interface EntryLine {
  readonly tagId: string;
  readonly date: EpochDay;
  readonly fieldId: string;
  /** The type as sent; the form determines which type it must be. */
  readonly type: unknown;
  readonly authorId: string | null;
  readonly onBehalfOfId: string | null;
  readonly burned: boolean;
  readonly submittedAt: EpochSecond | null;
  readonly createdAt: EpochSecond | null;
  readonly modifiedAt: EpochSecond | null;
  /** The fields of the value as sent, not validated. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Equal lines have equal fingerprints. */
  readonly fingerprint: string;
}

/** The value fields of all types. */
const VALUE_FIELDS = [
  ...['time', 'temperature', 'weather_condition', 'precipitation', 'cloud_cover', 'wind'],
  ...['hours', 'employee_account_id', 'employee_name', 'employee_position'],
  ...['name', 'employees', 'comment', 'text', 'value'],
  ...['image_id', 'image_key', 'thumb_key', 'latitude', 'longitude', 'taken_at', 'image', 'role'],
] as const;

/** The form determines how a value is parsed. */
const value = z.unknown().optional().describe('Depends on the type of the field (docs/rules/daily-reports.md#entry-lines).');

const common = z.object({
  tag_id: uuid.describe('Project.'),
  date: nearDate.describe('Day of the report.'),
  field_id: text.describe('Field of the form that is active on the day.'),
  author_id: optionalUuid.describe('Account of the author; null for the system.'),
  on_behalf_of_id: optionalUuid.describe('Employee that the entry is about.'),
  burned: flag.describe('Whether it is a tombstone, which deletes the value.'),
  submitted_at: optionalLocalDateTime,
  created_at: optionalLocalDateTime,
  modified_at: optionalLocalDateTime,
  type: value,
  ...recordOf(VALUE_FIELDS, value),
});

const schema = common.transform((line, context): EntryLine => {
  const values = Object.fromEntries(
    VALUE_FIELDS.flatMap((name) => (line[name] === undefined || line[name] === null ? [] : [[name, line[name]]])),
  );
  // The fingerprint is computed recursively.
  const deep = Object.keys(values).filter((name) => isNestedTooDeep(values[name]));
  for (const name of deep) context.addIssue({ code: 'custom', message: 'may not be nested so deeply', path: [name] });
  if (deep.length > 0) return z.NEVER;
  const fields = {
    tagId: line.tag_id,
    date: line.date,
    fieldId: line.field_id,
    authorId: line.author_id,
    onBehalfOfId: line.on_behalf_of_id,
    burned: line.burned,
    submittedAt: line.submitted_at?.instant ?? null,
    createdAt: line.created_at?.instant ?? null,
    modifiedAt: line.modified_at?.instant ?? null,
    values,
  };
  return { ...fields, type: line.type ?? null, fingerprint: createHash('sha256').update(JSON.stringify(fields)).digest('base64url') };
});

function recordOf<K extends string, V>(names: readonly K[], of: V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, of])) as Record<K, V>;
}

function references({ tagId, authorId, onBehalfOfId }: EntryLine): Reference[] {
  return [
    { field: 'tag_id', kind: 'project', id: tagId },
    ...(authorId === null ? [] : [{ field: 'author_id', kind: 'account' as const, id: authorId }]),
    ...(onBehalfOfId === null ? [] : [{ field: 'on_behalf_of_id', kind: 'employee' as const, id: onBehalfOfId }]),
  ];
}

export const entryKind = defineKind({ name: 'daily_report_entry', order: 'institution', schema, references }) satisfies Kind;
