import {
  comment,
  list,
  MAX_CUSTOM_BYTES,
  MAX_CUSTOM_FIELDS,
  nearDate,
  optionalDate,
  optionalText,
  optionalUuid,
  text,
  type Reference,
} from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';
import { entitlement, entitlementContradictions } from './entitlement.js';

const MAX_NAME = 255;

/** The name that zod and the generated gRPC code drop from objects, because an assignment to it changes the prototype. */
const UNSENDABLE = '__proto__';

/**
 * Stored as a list, because the names are chosen freely and may not be valid document keys. Sorted by name, so that a different order in
 * the import does not count as a change.
 */
const customFields = z.preprocess(
  withFewValues,
  z
    .record(z.string(), comment, { error: 'must be an object' })
    .nullish()
    .transform((fields) => {
      // As with other texts, a lone surrogate becomes a replacement character. Letters are composed, because fields are found by name, and macOS
      // writes u and U+0308 for ü. Of names that are then the same, the last one counts.
      const stored = new Map(Object.entries(fields ?? {}).map(([name, value]) => [name.toWellFormed().normalize('NFC'), value]));
      return Array.from(stored, ([name, value]) => ({ name, value }))
        .filter((field): field is CustomField => field.value !== null)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    }),
);

/**
 * Returns the fields that have a value. If one of them cannot be sent, or there are too many, they are not validated: a line has room for a
 * hundred thousand.
 */
function withFewValues(fields: unknown, context: z.RefinementCtx): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  const given: [string, unknown][] = [];
  for (const name of Object.keys(fields)) {
    const value: unknown = Reflect.get(fields, name);
    if (value === null) continue;
    if (name === UNSENDABLE) context.addIssue(`may not have the name ${name}`);
    else if (given.push([name, value]) > MAX_CUSTOM_FIELDS) context.addIssue(`may not be more than ${String(MAX_CUSTOM_FIELDS)}`);
    else continue;
    return z.NEVER;
  }
  return Object.fromEntries(given);
}

export const employee = defineKind({
  name: 'employee',
  schema: z.object({
    account_id: optionalUuid.describe('Account with which the employee uses the apps.'),
    number: text.describe('Personnel number.'),
    accounting_number: optionalText.describe('Number in payroll; payroll files leave out employees without one.'),
    first_name: text.describe('First name.'),
    last_name: text.describe('Last name.'),
    email: optionalText.describe('Email address.'),
    department_id: optionalUuid.describe('Department.'),
    custom_fields: customFields.describe('Texts by name, for example position.'),
    hired_on: nearDate.describe('First day of employment.'),
    left_on: optionalDate.describe('Last day of employment.'),
    archived_on: optionalDate.describe('First day on which the employee is archived.'),
    entitlements: list(entitlement).describe('Settings that grant absence days: one rule for each cycle.'),
  }),
  contradictions: ({ hired_on, left_on, entitlements, custom_fields }) => [
    ...(left_on !== null && left_on < hired_on ? ['left_on lies before hired_on.'] : []),
    ...(custom_fields.every(({ name }) => isFieldName(name))
      ? []
      : [`custom_fields may only have names of 1 to ${String(MAX_NAME)} characters.`]),
    ...sizeProblems(custom_fields),
    ...entitlementContradictions(entitlements),
  ],
  references: ({ account_id, department_id, entitlements }) => [
    ...optional('account_id', 'account', account_id),
    ...optional('department_id', 'department', department_id),
    ...entitlements.map(({ missing_type }, index) => ({
      field: `entitlements[${String(index)}].missing_type`,
      kind: 'absence_type' as const,
      id: missing_type,
    })),
  ],
});

interface CustomField {
  readonly name: string;
  readonly value: string;
}

function sizeProblems(fields: readonly CustomField[]): string[] {
  const bytes = fields.reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  return bytes > MAX_CUSTOM_BYTES ? [`custom_fields may not have more than ${String(MAX_CUSTOM_BYTES)} bytes together.`] : [];
}

function isFieldName(name: string): boolean {
  return name.trim() !== '' && name.length <= MAX_NAME && !name.includes('\0');
}

function optional(field: string, kind: Reference['kind'], id: string | null): Reference[] {
  return id === null ? [] : [{ field, kind, id }];
}
