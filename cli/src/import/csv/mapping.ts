import { readFileSync } from 'node:fs';
import { z } from 'zod';

const LETTERS = 255;
const ONE_CHARACTER = /^.$/u;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

// Composed, as the cells that are read.
const column = z.string().min(1).max(LETTERS).normalize('NFC');

const file = z
  .strictObject({
    encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8').describe('A byte order mark is skipped.'),
    delimiter: z.string().regex(ONE_CHARACTER).default(';').describe('Between cells.'),
    quote: z.string().regex(ONE_CHARACTER).default('"').describe('Around cells that contain the delimiter or a line end.'),
  })
  .refine(({ delimiter, quote }) => delimiter !== quote, {
    path: ['quote'],
    message: 'The quote and the delimiter are the same character.',
  })
  .prefault({})
  .describe('How the file is written.');

const date = z
  .enum(['dd.mm.yyyy', 'dd.mm.yy', 'yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'yyyymmdd'])
  .default('dd.mm.yyyy')
  .describe('How dates are written; yy is 2000 to 2099.');
const durationFormat = z.enum(['hours', 'minutes', 'hh:mm']);

const envelope = {
  $schema: z.string().optional().describe('For editors.'),
  institution_id: z.guid().toLowerCase().describe('The institution that the records belong to.'),
  file,
};

const employees = z
  .strictObject({
    kind: z.literal('employee'),
    ...envelope,
    formats: z.strictObject({ date }).prefault({}).describe('How cells are written.'),
    columns: z
      .strictObject({
        number: column.describe('Personnel number, which identifies employees.'),
        accounting_number: column.optional().describe('Number in payroll.'),
        first_name: column.optional().describe('Required for new employees.'),
        last_name: column.optional().describe('Required for new employees.'),
        email: column.optional().describe('Email address.'),
        department: column.optional().describe('Name of a department that exists.'),
        hired_on: column.optional().describe('First day of employment; required for new employees.'),
        left_on: column.optional().describe('Last day of employment.'),
        archived_on: column.optional().describe('First day on which the employee is archived.'),
        custom_fields: z.record(column, column).optional().describe('Columns of custom fields, by the name of the field.'),
      })
      .describe('The header of the column of each field. Columns that are not named are ignored.'),
  })
  .describe('Employees. Fields without a column stay as they are.');

const workdays = z
  .strictObject({
    kind: z.literal('workday'),
    ...envelope,
    formats: z
      .strictObject({
        date,
        decimal: z.enum([',', '.']).default(',').describe('In hours such as 7,5.'),
        duration: durationFormat.default('hours').describe('How hours worked are written: 7,5 or 450 or 7:30.'),
        break: durationFormat.default('minutes').describe('How the length of breaks is written.'),
      })
      .prefault({})
      .describe('How cells are written.'),
    day_begins: z
      .string()
      .regex(TIME_OF_DAY)
      .default('07:00')
      .describe('When the first shift of a day begins if the file contains hours only; further shifts follow it.'),
    columns: z
      .strictObject({
        employee_number: column.optional().describe('Personnel number.'),
        accounting_number: column.optional().describe('Number in payroll, instead of the personnel number.'),
        date: column.describe('The day that the shift belongs to.'),
        begin: column.optional().describe('Begin of the shift: a time such as 7:00, or a date and a time.'),
        end: column.optional().describe('End of the shift; if it is before the begin, it is on the next day.'),
        duration: column.optional().describe('Hours worked without breaks, instead of begin and end.'),
        break: column.optional().describe('Length of the break, which then lies in the middle of the shift.'),
        break_begin: column.optional().describe('Begin of the break, instead of its length.'),
        break_end: column.optional().describe('End of the break.'),
        project: column.optional().describe('Code of a project that exists.'),
        comment: column.optional().describe('Comment on the work.'),
        key: column.optional().describe('Identifier of the row in the other program: with it, a corrected row replaces the earlier one.'),
      })
      .describe('The header of the column of each field. Columns that are not named are ignored.'),
  })
  .superRefine(({ columns }, { addIssue }) => {
    for (const message of contradictions(columns)) addIssue({ code: 'custom', path: ['columns'], message });
  })
  .describe('Hours: each row is a shift, with begin and end or with hours only.');

/** Describes the columns of a CSV file (`docs/csv-import/mapping.schema.json`). */
export const mappingSchema = z.discriminatedUnion('kind', [employees, workdays]);

export type Mapping = z.output<typeof mappingSchema>;
export type EmployeeMapping = Extract<Mapping, { readonly kind: 'employee' }>;
export type WorkdayMapping = Extract<Mapping, { readonly kind: 'workday' }>;

type WorkdayColumns = z.output<typeof workdays>['columns'];

function contradictions({ employee_number, accounting_number, begin, end, duration, ...breaks }: WorkdayColumns): readonly string[] {
  const isOneOf = (...given: readonly (string | undefined)[]) => given.filter((name) => name !== undefined).length === 1;
  const isBoth = (a: string | undefined, b: string | undefined) => (a === undefined) === (b === undefined);
  return [
    ...(isOneOf(employee_number, accounting_number) ? [] : ['Name one of employee_number and accounting_number.']),
    ...(isBoth(begin, end) && isOneOf(begin, duration) ? [] : ['Name begin and end, or duration.']),
    ...(isBoth(breaks.break_begin, breaks.break_end) ? [] : ['Name break_begin and break_end together.']),
    ...(breaks.break !== undefined && breaks.break_begin !== undefined ? ['Name break, or break_begin and break_end.'] : []),
    ...(duration !== undefined && breaks.break_begin !== undefined
      ? ['With duration, name break instead of break_begin and break_end.']
      : []),
  ];
}

/** The name that zod drops from a record without an issue; no employee can have a custom field of this name. */
const UNUSABLE = '__proto__';

function hasUnusableField(mapping: unknown): boolean {
  const { columns } = mapping as z.input<typeof mappingSchema>;
  return 'custom_fields' in columns && Object.hasOwn(columns.custom_fields ?? {}, UNUSABLE);
}

/** @returns the mapping, or all its problems as `field: what is wrong` */
export function readMapping(text: string): Mapping | readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (caught) {
    return [`It is not valid JSON: ${(caught as Error).message}`];
  }
  const parsed = mappingSchema.safeParse(value);
  if (parsed.success) return hasUnusableField(value) ? [`columns.custom_fields: A custom field cannot be named ${UNUSABLE}.`] : parsed.data;
  return parsed.error.issues.map(({ path, message }) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`);
}

/**
 * As {@link readMapping}, for a file.
 * @throws Error of the file system
 */
export function readMappingFile(path: string): Mapping | readonly string[] {
  return readMapping(readFileSync(path, 'utf8').replace(/^\ufeff/u, ''));
}

/** The columns that a mapping uses, by field. */
export function columnsOf({ columns }: Mapping): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(columns).flatMap(([field, name]): [string, string][] =>
      typeof name === 'string' ? [[field, name]] : Object.entries(name ?? {}).map(([text, of]) => [`${field}.${text}`, of]),
    ),
  );
}
