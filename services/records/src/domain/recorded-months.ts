import type { MonthAddress, MonthRecord, StoredMonth } from './month.js';

/** What is recorded about a month as a whole, and about which month. */
export interface RecordedMonth {
  readonly address: MonthAddress;
  readonly record: MonthRecord;
}

/** The places of each record by its id: one, or two while it moves to another month. */
export function recordsOf(months: readonly StoredMonth[]): Map<string, RecordedMonth[]> {
  const places = new Map<string, RecordedMonth[]>();
  for (const { address, record } of months) {
    if (record === undefined) continue;
    const known = places.get(record.id);
    if (known === undefined) places.set(record.id, [{ address, record }]);
    else known.push({ address, record });
  }
  return places;
}
