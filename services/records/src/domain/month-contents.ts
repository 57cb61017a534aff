import type { MonthAddress, MonthRecord, StoredMonth, StoredWorkday } from './month.js';

/** A workday and the month in which it is stored. While it moves to another month, it is stored in both. */
export interface WorkdayCopy {
  readonly address: MonthAddress;
  readonly workday: StoredWorkday;
}

type Copies = [WorkdayCopy, ...WorkdayCopy[]];

/** A key for records of several institutions, which may use the same id. */
export function nameOf({ institutionId }: { readonly institutionId: string }, id: string): string {
  return `${institutionId}/${id}`;
}

/** The copies of each workday by `nameOf`, newest first. */
export function copiesOf(months: readonly StoredMonth[]): Map<string, Copies> {
  const copies = new Map<string, Copies>();
  for (const { address, workdays } of months) {
    for (const workday of workdays ?? []) {
      const name = nameOf(address, workday.id);
      const known = copies.get(name);
      if (known === undefined) copies.set(name, [{ address, workday }]);
      else known.push({ address, workday });
    }
  }
  for (const known of copies.values()) known.sort(byAge);
  return copies;
}

/** Compares by age. Two processes that move a workday at the same time write the same version. */
function byAge({ workday: a }: WorkdayCopy, { workday: b }: WorkdayCopy): number {
  return b.version - a.version || (b.sequence ?? 0) - (a.sequence ?? 0);
}

/** The record about a month as a whole, and its month. */
export interface RecordedMonth {
  readonly address: MonthAddress;
  readonly record: MonthRecord;
}

/** The months in which each record is stored, by `nameOf`: one, or two while it moves to another month. */
export function recordsOf(months: readonly StoredMonth[]): Map<string, RecordedMonth[]> {
  const places = new Map<string, RecordedMonth[]>();
  for (const { address, record } of months) {
    if (record === undefined) continue;
    const name = nameOf(address, record.id);
    const known = places.get(name);
    if (known === undefined) places.set(name, [{ address, record }]);
    else known.push({ address, record });
  }
  return places;
}
