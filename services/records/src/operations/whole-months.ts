import { monthId, type StoredMonth } from '../domain/month.js';
import type { MonthStore, RecordName } from './ports.js';

interface Named {
  readonly workdays: readonly RecordName[];
  readonly workmonths: readonly RecordName[];
}

/** Returns the months that contain one of these records, with all their workdays and without duplicates. */
export async function readWhole(months: MonthStore, { workdays, workmonths }: Named): Promise<readonly StoredMonth[]> {
  const recorded = await months.recordedAs(workmonths);
  const holding = await months.holding(workdays);
  // If a month was written between the two reads, the earlier read is kept: the write then loses its compare-and-set, and both are read
  // again.
  const each = new Map([...holding, ...recorded].map((month) => [monthId(month.address), month]));
  return [...each.values()];
}
