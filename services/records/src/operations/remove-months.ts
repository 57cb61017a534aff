import type { CloudEvent } from '@stechuhr/contracts';
import { MonthDraft } from '../domain/month-draft.js';
import type { StoredMonth } from '../domain/month.js';
import type { WriteContext } from './ports.js';

/** Deletes all tracked time of an employee. */
export async function removeMonths(context: WriteContext, institutionId: string, employeeId: string): Promise<void> {
  for (;;) {
    const months = await context.months.ofEmployee(institutionId, employeeId);
    if (months.length === 0) return;
    await context.months.save(months.map((month) => emptied(context, month).write()));
    context.notifyOutbox('workmonth');
  }
}

function emptied({ events }: WriteContext, month: StoredMonth) {
  const { institutionId } = month.address;
  const draft = new MonthDraft<CloudEvent>(month.address, month);
  for (const { id } of month.workdays ?? []) draft.remove(id, events.deleted('workday', institutionId, id));
  if (month.record !== undefined) draft.setRecord(undefined, events.deleted('workmonth', institutionId, month.record.id));
  return draft;
}
