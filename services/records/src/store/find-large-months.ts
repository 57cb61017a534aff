import type { MongoDb } from '@stechuhr/mongo';
import { monthKey } from '@stechuhr/worktime';
import { LARGE_MONTH_BYTES } from '../domain/month.js';
import type { LargeMonths } from '../domain/time-records.js';
import { collectionOf } from './collections.js';
import type { MonthDocument } from './month-document.js';

type Size = Pick<MonthDocument, '_id' | 'employee_id' | 'year' | 'month' | 'workday_bytes'>;

const SIZE = { employee_id: 1, year: 1, month: 1, workday_bytes: 1 };

/** Returns the large months of an institution. They are found by a partial index that contains only large months. */
export async function findLargeMonths(database: MongoDb, institutionId: string, signal: AbortSignal): Promise<LargeMonths> {
  const found = await collectionOf<MonthDocument>(database, 'workmonths')
    .find<Size>({ institution_id: institutionId, workday_bytes: { $gt: LARGE_MONTH_BYTES } }, { projection: SIZE, signal })
    .toArray();
  const sizes = (own: readonly Size[]) => new Map(own.map((month) => [monthKey(month), month.workday_bytes ?? 0]));
  return new Map([...Map.groupBy(found, ({ employee_id }) => employee_id)].map(([employeeId, own]) => [employeeId, sizes(own)]));
}
