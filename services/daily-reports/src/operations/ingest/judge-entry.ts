import { defineKind } from '@stechuhr/ingest/kinds';
import { isUploadKey } from '@stechuhr/objectstore';
import { formatLocalDate } from '@stechuhr/worktime';
import type { EntryValue } from '../../domain/entry-value.js';
import type { Form, FormField } from '../../domain/form.js';
import type { EntryLine } from '../../domain/lines/entry-line.js';
import { valueSchemaOf } from '../../domain/lines/value-schemas.js';
import type { Employee } from '../ports.js';

/**
 * The value of an entry, or the reason why the form rejects it. `mayChange` is true if another form, which may still arrive, could accept
 * it.
 */
export type JudgedEntry = { readonly value: EntryValue } | { readonly reason: string; readonly mayChange: boolean };

interface Around {
  readonly institutionId: string;
  readonly form: Form;
  /** The employee that the entry is about. */
  readonly employee: Employee | undefined;
}

/** Validates a line by the form that is valid on its date and by the rules of the field's type (docs/rules/daily-reports.md#entry-lines). */
export function judgeEntry(line: EntryLine, { institutionId, form, employee }: Around): JudgedEntry {
  const field = form.fields.find(({ id }) => id === line.fieldId);
  if (field === undefined) return ofForm(`field_id names no field of the form that is active on ${formatLocalDate(line.date)}.`);
  if (line.type !== null && line.type !== field.type) return ofForm(`type must be ${field.type}, the type of the field.`);
  const judged = defineKind({ name: field.type, schema: valueSchemaOf(field.type, line.burned) }).judge(line.values);
  if ('reason' in judged) return { reason: judged.reason, mayChange: false };
  const value = completed(judged.content.fields, line, employee);
  return refusalOf(value, line, { institutionId, field }) ?? { value };
}

function refusalOf(value: EntryValue, line: EntryLine, { institutionId, field }: { institutionId: string; field: FormField }) {
  switch (value.type) {
    case 'weather':
      return isConfigured(value.time, field) ? undefined : ofForm('time must be one of the times of the form.');
    case 'employee-working-times':
      return line.onBehalfOfId === null ? final('on_behalf_of_id is required for working times.') : undefined;
    case 'image': {
      const keys = Object.entries({ image_key: value.imageKey, thumb_key: value.thumbKey });
      const foreign = keys.find(([, key]) => key !== null && !isOwn(key, institutionId, line.authorId));
      return foreign && final(`${foreign[0]} must be in the upload namespace of the author.`);
    }
    default:
      return undefined;
  }
}

function isConfigured(time: string, field: FormField): boolean {
  return field.type === 'weather' && field.config.times.includes(time.replace(':', ''));
}

function isOwn(key: string, institutionId: string, accountId: string | null): boolean {
  return accountId !== null && isUploadKey(key, { institutionId, accountId });
}

/** Fills fields that the line omits with the data of the employee. */
function completed(value: EntryValue, { values }: EntryLine, employee: Employee | undefined): EntryValue {
  if (value.type !== 'employee-working-times' || employee === undefined) return value;
  const { firstName, lastName, accountId, position } = employee;
  return {
    ...value,
    employeeAccountId: 'employee_account_id' in values ? value.employeeAccountId : (accountId ?? ''),
    employeeName: 'employee_name' in values ? value.employeeName : `${firstName} ${lastName}`,
    employeePosition: 'employee_position' in values ? value.employeePosition : position,
  };
}

function ofForm(reason: string) {
  return { reason, mayChange: true };
}

function final(reason: string) {
  return { reason, mayChange: false };
}
