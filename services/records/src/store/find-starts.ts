import type { MongoDb } from '@stechuhr/mongo';
import { firstDayOfMonth, monthOf, type EpochDay, type YearMonth } from '@stechuhr/worktime';
import { monthId } from '../domain/month.js';
import type { Start, Starts } from '../domain/time-records.js';
import { collectionOf } from './collections.js';
import type { SliceQuery } from './find-owned.js';
import type { MonthDocument } from './month-document.js';

type OutlineDocument = Pick<MonthDocument, '_id' | 'employee_id' | 'year' | 'month' | 'opening_balance_minutes' | 'workday_bytes'>;

const OUTLINE = { _id: 0, employee_id: 1, year: 1, month: 1, opening_balance_minutes: 1, workday_bytes: 1 };

/** A month in few bytes: there are a hundred thousand for a thousand employees over some years. */
interface MonthOutline extends YearMonth {
  readonly employeeId: string;
  readonly hasBalance: boolean;
  readonly bytes: number;
}

/**
 * Returns where the overtime account of each employee begins: on the first day of the latest month with an opening balance, up to the month
 * of the last requested day; if no month has one, on the first day of the first month. Employees whose account does not begin before the
 * requested days are left out.
 */
export async function findStarts(database: MongoDb, query: SliceQuery): Promise<Starts> {
  const { institutionId, employeeIds, fromDay, toDay, signal } = query;
  const months = collectionOf<MonthDocument>(database, 'workmonths');
  // All months of an employee share one text.
  const shared = new Map(employeeIds.map((id) => [id, id]));
  const toOutline = ({ employee_id, year, month, opening_balance_minutes, workday_bytes = 0 }: OutlineDocument): MonthOutline => {
    const employeeId = shared.get(employee_id) ?? employee_id;
    return { employeeId, year, month, hasBalance: opening_balance_minutes !== null, bytes: workday_bytes };
  };
  const find = (filter: object) =>
    months
      .find<OutlineDocument>({ ...filter, deleted_at: null }, { projection: OUTLINE, signal })
      .map(toOutline)
      .toArray();
  const last = monthOf(toDay);
  const lastIds = employeeIds.map((employeeId) => monthId({ institutionId, employeeId, ...last }));
  // If every month has an opening balance, this query is sufficient.
  const ofLast = await find({ _id: { $in: lastIds }, institution_id: institutionId });
  const settled = new Set(ofLast.filter(({ hasBalance }) => hasBalance).map(({ employeeId }) => employeeId));
  const open = employeeIds.filter((employeeId) => !settled.has(employeeId));
  const earlier =
    open.length === 0 ? [] : await find({ institution_id: institutionId, employee_id: { $in: open }, year: { $lte: last.year } });
  return startsOf([...ofLast.filter(({ hasBalance }) => hasBalance), ...earlier.filter((month) => !isAfter(month, last))], fromDay);
}

function startsOf(months: readonly MonthOutline[], fromDay: EpochDay): Starts {
  const starts = new Map<string, Start>();
  for (const [employeeId, own] of Map.groupBy(months, (month) => month.employeeId)) {
    const start = own.reduce((best, month) => (isBetterStart(month, best) ? month : best));
    const day = firstDayOfMonth(start);
    if (day >= fromDay) continue;
    const months = own.filter((month) => !isAfter(start, month));
    starts.set(employeeId, { day, months, bytes: months.reduce((sum, { bytes }) => sum + bytes, 0) });
  }
  return starts;
}

/** Prefers a month with a balance to one without. Of two with a balance, the later is better; of two without, the earlier. */
function isBetterStart(month: MonthOutline, known: MonthOutline): boolean {
  if (month.hasBalance !== known.hasBalance) return month.hasBalance;
  return month.hasBalance ? isAfter(month, known) : isAfter(known, month);
}

function isAfter(a: YearMonth, b: YearMonth): boolean {
  return a.year > b.year || (a.year === b.year && a.month > b.month);
}
