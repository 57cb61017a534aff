import { decodeOnce } from '../grammar.js';
import type { Row } from '../row.js';
import type { Column } from './column.js';

/** The beginning of the names of columns and filters for custom fields. */
export const CUSTOM = 'custom.';
/** The custom field that the column and the filter of this name show. */
export const POSITION_FIELD = 'position';

function text(id: string, title: string, description: string, read: (row: Row) => string | null): Column {
  return { id, title, description, scope: 'block', source: { kind: 'text', read } };
}

/**
 * Returns the custom field that a column or filter of this name shows; undefined if it shows none. Its letters are composed (NFC), like those of
 * the names that employees have.
 */
export function customFieldOf(id: string): string | undefined {
  if (id === POSITION_FIELD) return POSITION_FIELD;
  const field = id.startsWith(CUSTOM) ? decodeOnce(id.slice(CUSTOM.length)) : undefined;
  return field === '' ? undefined : field?.normalize('NFC');
}

/** Returns a custom field of an employee; null if the employee has no field of this name. */
export function customField(fields: Readonly<Record<string, string>>, field: string): string | null {
  return Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
}

/** Creates a column for a custom field of the employees. */
export function customColumn(id: string, field: string): Column {
  return text(id, field, `Eigenes Feld "${field}" der Person.`, ({ block }) => customField(block.staff.customFields, field));
}

/** Columns about the employee. */
export const employeeColumns: readonly Column[] = [
  text('employee-id', 'Personen-ID', 'ID der Person.', ({ block }) => block.staff.id),
  text('accounting-number', 'Lohnnummer', 'Nummer der Person in der Lohnabrechnung.', ({ block }) => block.staff.accountingNumber),
  text('employee-number', 'Personalnummer', 'Personalnummer.', ({ block }) => block.staff.number),
  text('first-name', 'Vorname', 'Vorname.', ({ block }) => block.staff.firstName),
  text('last-name', 'Nachname', 'Nachname.', ({ block }) => block.staff.lastName),
  text('full-name', 'Name', 'Vorname, Leerzeichen, Nachname.', ({ block }) => `${block.staff.firstName} ${block.staff.lastName}`),
  text('email', 'E-Mail', 'E-Mail-Adresse.', ({ block }) => block.staff.email),
  text('position', 'Position', 'Eigenes Feld "position" der Person.', ({ block }) => customField(block.staff.customFields, POSITION_FIELD)),
  text('department', 'Abteilung', 'Name der Abteilung.', ({ block }) => block.department?.name ?? null),
  text('department-id', 'Abteilungs-ID', 'ID der Abteilung.', ({ block }) => block.staff.departmentId),
  text('cost-center', 'Kostenstelle', 'Kostenstelle der Abteilung.', ({ block }) => block.department?.costCenter ?? null),
];
