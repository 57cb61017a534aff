import type { CloudEvent } from '@stechuhr/contracts';
import type { Fields } from '../domain/kind.js';
import { MonthDraft } from '../domain/month-draft.js';
import type { StoredMonth } from '../domain/month.js';
import type { FieldCondition, WriteContext } from './ports.js';
import { saveRecords } from './save-records.js';

/** Takes a deleted record out of a field (which becomes null) or a list of all records that name it. */
export async function clearReference(
  context: WriteContext,
  kind: 'employee' | 'account',
  institutionId: string,
  condition: FieldCondition,
): Promise<void> {
  for (;;) {
    const ids = await context.records.idsWith(kind, institutionId, condition);
    if (ids.length === 0) return;
    const loaded = await context.records.load(
      kind,
      ids.map((id) => ({ institutionId, id })),
    );
    const stored = [...loaded.values()].filter(({ state }) => state === 'present');
    const writes = stored.map((record) => {
      const { id, sequence } = record;
      const fields = without(record.fields, condition);
      const event = context.events.changed(kind, { institutionId, id, fields });
      return { institutionId, id, after: record, state: 'present' as const, fields, sequence, event };
    });
    await saveRecords(context, kind, writes);
  }
}

function without(fields: Fields, { field, value }: FieldCondition): Fields {
  const named = fields[field];
  return { ...fields, [field]: Array.isArray(named) ? named.filter((id) => id !== value) : null };
}

/** Deletes all tracked time of an employee. */
export async function removeMonths(context: WriteContext, institutionId: string, employeeId: string): Promise<void> {
  for (;;) {
    const months = await context.months.ofEmployee(institutionId, employeeId);
    if (months.length === 0) return;
    const writes = months.map((month) => emptied(context, month).write());
    await context.months.save(writes);
    context.notifyOutbox('workmonth', writes);
  }
}

function emptied({ events }: WriteContext, month: StoredMonth) {
  const { institutionId } = month.address;
  const draft = new MonthDraft<CloudEvent>(month.address, month);
  for (const { id, fields } of month.workdays ?? []) draft.remove(id, events.deleted('workday', { institutionId, id, fields }));
  if (month.record !== undefined) draft.setRecord(undefined, events.deleted('workmonth', { institutionId, ...month.record }));
  return draft;
}
