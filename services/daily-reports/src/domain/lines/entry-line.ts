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
import { fieldTypes } from '../field-types.js';
import { valueFieldsOf, valueSchemaOf } from './value-schemas.js';

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

/**
 * The value fields of all types, with the types that have them. Which type a line has, and so how its values are parsed, depends on the form.
 * Fingerprints depend on the order.
 */
const VALUE_FIELDS = {
  time: 'weather (required): time of day, such as 07:00; one of the times of the form.',
  temperature: 'weather: degrees Celsius, -100 to 100.',
  weather_condition: 'weather: sunny, cloudy, precipitation or snow.',
  precipitation: 'weather: a number of at least 0. This field and the next two are stored, but not returned.',
  cloud_cover: 'weather: a number from 0 to 100.',
  wind: 'weather: [speed, direction], the direction in degrees from 0 to 359.',
  hours: 'employee-working-times (required): 0 to 24; subcontractors: a number of at least 0.',
  employee_account_id: 'employee-working-times: account of the employee; if left out, that of the employee at the time of the import.',
  employee_name: 'employee-working-times: name of the employee; if left out, as employee_account_id.',
  employee_position: 'employee-working-times: position of the employee; if left out, as employee_account_id.',
  name: 'subcontractors (required): name of the company.',
  employees: 'subcontractors (required): number of people.',
  comment: 'subcontractors: text.',
  text: 'activities (required): what was done.',
  value: 'string (required): text.',
  image_id: 'image (required): id of the photo, any text; entries with the same id are versions of one photo.',
  image_key: 'image: key of the photo, from its upload form.',
  thumb_key: 'image: key of the preview, from its upload form.',
  latitude: 'image: degrees, -90 to 90.',
  longitude: 'image: degrees, -180 to 180.',
  taken_at: 'image: when the photo was taken, local time.',
  image: 'signature (required): PNG or JPEG as a base64 data URL, at most 200 kB.',
  role: 'signature: as what or for whom the person signed, for example Bauleitung or Auftraggeber.',
} as const;

type ValueField = keyof typeof VALUE_FIELDS;
const valueFields = Object.keys(VALUE_FIELDS) as readonly ValueField[];

/** A value that is not parsed here. */
const unparsed = (what: string) => z.unknown().optional().describe(what);

const common = z.object({
  tag_id: uuid.describe('Project.'),
  date: nearDate.describe('Day of the report.'),
  field_id: text.describe('Field of the form that is active on the day.'),
  author_id: optionalUuid.describe('Account of the author; null for the system.'),
  on_behalf_of_id: optionalUuid.describe('Employee that the entry is about; required for employee-working-times.'),
  burned: flag.describe('Whether it is a tombstone, which deletes the value; hours, employees and image may then be left out.'),
  submitted_at: optionalLocalDateTime.describe('When the entry reached the server; if left out, now. Ignored without author_id.'),
  created_at: optionalLocalDateTime.describe('When the entry was created; if left out, now.'),
  modified_at: optionalLocalDateTime.describe('When the entry was last changed; if left out, now.'),
  type: unparsed('Type of the field in the form, which decides about the fields below; may be left out.'),
  ...(Object.fromEntries(valueFields.map((name) => [name, unparsed(VALUE_FIELDS[name])])) as Record<
    ValueField,
    ReturnType<typeof unparsed>
  >),
});

const schema = common.transform((line, context): EntryLine => {
  const values = Object.fromEntries(
    valueFields.flatMap((name) => (line[name] === undefined || line[name] === null ? [] : [[name, line[name]]])),
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

function references({ tagId, authorId, onBehalfOfId }: EntryLine): Reference[] {
  return [
    { field: 'tag_id', kind: 'project', id: tagId },
    ...(authorId === null ? [] : [{ field: 'author_id', kind: 'account' as const, id: authorId }]),
    ...(onBehalfOfId === null ? [] : [{ field: 'on_behalf_of_id', kind: 'employee' as const, id: onBehalfOfId }]),
  ];
}

/** The value fields of each type. */
const types = fieldTypes.map(({ id }) => ({ id, fields: new Set(valueFieldsOf(id)) }));

/**
 * Returns problems about value fields that an entry does not have. Which type it has is decided by the form, which may arrive later. So a field is
 * reported if no type has all fields of the line, for each type that the line could have.
 */
function ignored({ type, burned, values }: EntryLine): readonly string[] {
  const names = Object.keys(values);
  const possible = types
    .filter(({ id }) => type === null || type === id)
    .map(({ id, fields }) => ({ id, others: names.filter((name) => !fields.has(name)) }));
  const takes = ({ id }: Pick<(typeof types)[number], 'id'>) => valueSchemaOf(id, burned).safeParse(values).success;
  // First those that have all fields: mostly there is one, and validating takes long.
  if (possible.some((one) => one.others.length === 0 && takes(one))) return [];
  return possible
    .filter((one) => one.others.length > 0 && takes(one))
    .flatMap(({ id, others }) => others.map((name) => `${name} is ignored in an entry of the type ${id}.`));
}

export const entryKind = defineKind({
  name: 'daily_report_entry',
  order: 'institution',
  isAppendOnly: true,
  schema,
  references,
  ignored,
}) satisfies Kind;
