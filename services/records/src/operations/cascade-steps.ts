import type { CloudEvent } from '@stechuhr/contracts';
import type { Fields } from '../domain/kind.js';
import { nameOf } from '../domain/month-contents.js';
import { MonthDraft } from '../domain/month-draft.js';
import type { StoredMonth } from '../domain/month.js';
import type { DocumentKind } from '../domain/stored-record.js';
import { markRemoved, planRemoved } from './mark-removed.js';
import type { FieldCondition, RecordName, WriteContext } from './ports.js';
import { saveRecords } from './save-records.js';
import { dropStaleCopies } from './stale-copies.js';

/** A deleted record whose cascade is being run. */
export interface Deleted extends RecordName {
  readonly kind: DocumentKind;
}

/**
 * Handles the records that refer to a deleted record, in batches, until there are none or the deleted record exists again. Another process
 * may have finished the same removal in the meantime, and records that refer to a re-created record must be kept. Therefore each batch is
 * read first, then the deleted record is checked, and then the batch is written by compare-and-set.
 */
export async function whileDeleted<T>(
  context: WriteContext,
  deleted: Deleted,
  read: () => Promise<readonly T[]>,
  handle: (some: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const some = await read();
    if (some.length === 0 || (await isPresent(context, deleted))) return;
    await handle(some);
  }
}

async function isPresent({ records }: WriteContext, { kind, institutionId, id }: Deleted): Promise<boolean> {
  const stored = (await records.load(kind, [{ institutionId, id }])).get(nameOf({ institutionId }, id));
  return stored?.state === 'present';
}

/** Removes the id of a deleted record from all records that refer to it: a field becomes null, a list loses the element. */
export async function clearReference(context: WriteContext, kind: 'employee' | 'account', field: string, deleted: Deleted): Promise<void> {
  const { institutionId } = deleted;
  const condition = { field, value: deleted.id };
  const read = async () => {
    const ids = await context.records.idsWith(kind, institutionId, condition);
    const names = ids.map((id) => ({ institutionId, id }));
    return names.length === 0 ? [] : [...(await context.records.load(kind, names)).values()];
  };
  await whileDeleted(context, deleted, read, (some) => {
    const writes = some
      .filter(({ state }) => state === 'present')
      .map((record) => {
        const { id, sequence } = record;
        const fields = without(record.fields, condition);
        const event = context.events.changed(kind, { institutionId, id, fields });
        return { institutionId, id, after: record, state: 'present' as const, fields, sequence, event };
      });
    return saveRecords(context, kind, writes);
  });
}

function without(fields: Fields, { field, value }: FieldCondition): Fields {
  const named = fields[field];
  return { ...fields, [field]: Array.isArray(named) ? named.filter((id) => id !== value) : null };
}

/** Deletes all tracked time of an employee. */
export async function removeMonths(context: WriteContext, employee: Deleted): Promise<void> {
  const read = () => context.months.ofEmployee(employee.institutionId, employee.id);
  await whileDeleted(context, employee, read, async (months) => {
    if (await dropStaleCopies(context, months)) return;
    const removed = [['workday', months.flatMap(ownWorkdays)] as const, ['workmonth', months.flatMap(ownRecord)] as const];
    for (const [kind, records] of removed) await planRemoved(context, kind, records);
    const writes = months.map((month) => emptied(context, month).write());
    await context.months.save(writes);
    context.notifyOutbox('workmonth', writes);
    for (const [kind, records] of removed) await markRemoved(context, kind, records);
  });
}

function ownWorkdays({ address: { institutionId }, workdays = [] }: StoredMonth) {
  return workdays.map(({ id, sequence }) => ({ institutionId, id, sequence }));
}

function ownRecord({ address: { institutionId }, record }: StoredMonth) {
  return record === undefined ? [] : [{ institutionId, id: record.id, sequence: record.sequence }];
}

function emptied({ events }: WriteContext, month: StoredMonth) {
  const { institutionId } = month.address;
  const draft = new MonthDraft<CloudEvent>(month.address, month);
  for (const { id, fields } of month.workdays ?? []) draft.remove(id, events.deleted('workday', { institutionId, id, fields }));
  if (month.record !== undefined) draft.setRecord(undefined, events.deleted('workmonth', { institutionId, ...month.record }));
  return draft;
}
