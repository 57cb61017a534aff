import { monthId, type MonthAddress, type MonthRecord, type StoredMonth, type StoredWorkday } from './month.js';

/** A workday and its month. A workday that is being moved to another month is stored in both months. */
export interface WorkdayCopy {
  readonly address: MonthAddress;
  readonly workday: StoredWorkday;
}

type Copies = [WorkdayCopy, ...WorkdayCopy[]];

/** Returns a name that is unique across institutions, because two institutions may use the same id. */
export function nameOf({ institutionId }: { readonly institutionId: string }, id: string): string {
  return `${institutionId}/${id}`;
}

/** Returns the copies of each workday by its name (`nameOf`), the newest copy first. */
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
  for (const known of copies.values()) known.sort((a, b) => byAge(toCopy(a), toCopy(b)));
  return copies;
}

function toCopy({ workday: { version, sequence }, address }: WorkdayCopy): Copy {
  return { version, sequence, monthId: monthId(address) };
}

interface Versioned {
  readonly version: number;
  readonly sequence?: number | undefined;
}

/**
 * Compares copies of a workday, the newer one first: by version, then by stream sequence, since two processes that move a workday at the same time
 * write the same version.
 */
export function byVersion(a: Versioned, b: Versioned): number {
  return b.version - a.version || (b.sequence ?? 0) - (a.sequence ?? 0);
}

interface Copy extends Versioned {
  readonly monthId: string;
}

/** Like `byVersion`. Of copies that two imports wrote, the month decides, so that all processes agree on the one that stays. */
export function byAge(a: Copy, b: Copy): number {
  return byVersion(a, b) || (a.monthId < b.monthId ? 1 : -1);
}

/** The record of a month and the month in which it is stored. */
export interface RecordedMonth {
  readonly address: MonthAddress;
  readonly record: MonthRecord;
}

/** Returns the months of each record by its name (`nameOf`): one month, or two while the record is being moved. */
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
