import { copiesOf, nameOf, recordsOf, type RecordedMonth } from '../domain/month-contents.js';
import type { StoredMonth } from '../domain/month.js';
import { MonthDrafts } from './month-drafts.js';
import type { RecordName, WriteContext } from './ports.js';
import { readWhole } from './whole-months.js';

/** The number of records whose months are read together. Each may be in two months of `MAX_MONTH_BYTES`. */
const RECORDS_AT_A_TIME = 5;

/**
 * Prepares the months of a deleted employee for their deletion: of records that are also stored in another month, because a process was
 * killed while it moved them, the stale copies are removed from all months, without an event. Each of these records then either stays,
 * for the employee to whom it was moved, or is deleted with one event.
 *
 * @param months all of the same employee
 * @returns whether there were such records; the months must then be read again, and there may be more
 */
export async function dropStaleCopies(context: WriteContext, months: readonly StoredMonth[]): Promise<boolean> {
  const workdays = months.flatMap(({ address, workdays = [] }) => workdays.map(({ id }) => ({ institutionId: address.institutionId, id })));
  const workmonths = months.flatMap(({ address, record }) => (record ? [{ institutionId: address.institutionId, id: record.id }] : []));
  const copied = {
    workdays: await inSeveralMonths(context, 'workday', workdays),
    workmonths: await inSeveralMonths(context, 'workmonth', workmonths),
  };
  if (copied.workdays.length === 0 && copied.workmonths.length === 0) return false;
  const whole = await readWhole(context.months, copied);
  const drafts = new MonthDrafts(new Map(), whole);
  const copies = copiesOf(whole);
  for (const name of copied.workdays) {
    const [, ...stale] = copies.get(nameOf(name, name.id)) ?? [];
    for (const { address } of stale) drafts.of(address).remove(name.id);
  }
  const deleted = new Set(months.map(({ address }) => address.employeeId));
  const records = recordsOf(whole);
  for (const name of copied.workmonths) {
    const [, ...stale] = keptFirst(records.get(nameOf(name, name.id)) ?? [], deleted);
    for (const { address } of stale) drafts.of(address).setRecord(undefined);
  }
  await drafts.save(context);
  return true;
}

async function inSeveralMonths(
  { months }: WriteContext,
  kind: 'workday' | 'workmonth',
  names: readonly RecordName[],
): Promise<RecordName[]> {
  if (names.length === 0) return [];
  const places = await months.placesOf(kind, names);
  return names.filter((name) => new Set(places.get(nameOf(name, name.id))).size > 1).slice(0, RECORDS_AT_A_TIME);
}

/** Sorts by age. Of two copies with the same stream sequence it is unknown which is newer, so that of an employee who stays is kept. */
function keptFirst(places: readonly RecordedMonth[], deleted: ReadonlySet<string>): RecordedMonth[] {
  const stays = ({ address }: RecordedMonth) => Number(!deleted.has(address.employeeId));
  return places.toSorted((a, b) => (b.record.sequence ?? 0) - (a.record.sequence ?? 0) || stays(b) - stays(a));
}
