import type { EpochDay } from '@stechuhr/worktime';
import type { BrowseQuery } from '../../domain/browse.js';
import { byAge } from '../../domain/month-contents.js';
import type { MonthDocument } from '../month-document.js';

/** The entries that are stored inside months and listed separately. */
export type Unit = 'workdays' | 'timespans';

/** The sort key of one entry of a list. */
export interface Row {
  readonly id: string;
  /** The id of the month (`monthId`). */
  readonly documentId: string;
  readonly workdayId: string;
  /** Of two copies of a workday that moves to another month, this and the sequence decide which one is valid (`byAge`). */
  readonly version: number;
  readonly sequence: number | undefined;
  readonly date: EpochDay;
  readonly employeeId: string;
  /** When the workday was changed, in milliseconds since 1970. Undefined if it is not known. */
  readonly modifiedAt: number | undefined;
  /** For ordering the timespans of a day. */
  readonly startedAt: number;
}

/** The fields of a month that its rows need. */
export interface MonthOutline extends Pick<MonthDocument, '_id' | 'employee_id'> {
  readonly workdays?: readonly {
    readonly id: string;
    readonly version: number;
    readonly sequence?: number;
    readonly date: EpochDay;
    readonly modified_at?: Date;
    readonly timespans?: readonly { readonly id: string; readonly started_at: Date }[];
  }[];
}

const workdayFields = {
  employee_id: 1,
  'workdays.id': 1,
  'workdays.version': 1,
  'workdays.sequence': 1,
  'workdays.date': 1,
  'workdays.modified_at': 1,
} as const;

export const outlineFields: Readonly<Record<Unit, Readonly<Record<string, 1>>>> = {
  workdays: workdayFields,
  timespans: {
    ...workdayFields,
    'workdays.timespans.id': 1,
    'workdays.timespans.started_at': 1,
  },
};

type RowsQuery = Pick<BrowseQuery, 'from' | 'until' | 'ids' | 'modifiedSince'>;

/** Reads the rows that match the query, month by month. They are not sorted, and may contain stale copies of workdays. */
export async function readRowsOf(unit: Unit, months: AsyncIterable<MonthOutline>, query: RowsQuery): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const some of eachMonthOf(unit, months, query)) for (const row of some) rows.push(row);
  return rows;
}

/** As {@link readRowsOf}, but returns the rows of each month separately. */
export async function* eachMonthOf(
  unit: Unit,
  months: AsyncIterable<MonthOutline>,
  query: RowsQuery,
): AsyncGenerator<readonly Row[], void, undefined> {
  const isChosen = chooser(query);
  for await (const month of months) yield monthRows(unit, month).filter(isChosen);
}

function chooser({ from, until, ids, modifiedSince }: RowsQuery) {
  const wanted = ids && new Set(ids);
  const since = modifiedSince === undefined ? undefined : modifiedSince * 1000;
  return ({ id, date, modifiedAt }: Row): boolean =>
    (wanted?.has(id) ?? true) &&
    (from === undefined || date >= from) &&
    (until === undefined || date <= until) &&
    (since === undefined || (modifiedAt !== undefined && modifiedAt >= since));
}

function monthRows(unit: Unit, { _id: documentId, employee_id: employeeId, workdays = [] }: MonthOutline): Row[] {
  return workdays.flatMap(({ id: workdayId, version, sequence, date, modified_at, timespans = [] }) => {
    const day = { documentId, workdayId, version, sequence, date, employeeId, modifiedAt: modified_at?.getTime() };
    if (unit === 'workdays') return [{ ...day, id: workdayId, startedAt: 0 }];
    return timespans.map(({ id, started_at }) => ({ ...day, id, startedAt: started_at.getTime() }));
  });
}

/** Removes stale copies of workdays. */
export function newest(rows: readonly Row[]): Row[] {
  const kept = new Map<string, Row>();
  for (const row of rows) {
    const known = kept.get(row.workdayId);
    if (known === undefined || byAge(toCopy(row), toCopy(known)) < 0) kept.set(row.workdayId, row);
  }
  return rows.filter(({ workdayId, documentId }) => kept.get(workdayId)?.documentId === documentId);
}

function toCopy({ version, sequence, documentId: monthId }: Row) {
  return { version, sequence, monthId };
}

/** Compares rows by date, employee, start and id. Only the date is compared in descending order. */
export function compareRows(descending: boolean): (a: Row, b: Row) => number {
  return (a, b) =>
    (descending ? b.date - a.date : a.date - b.date) ||
    compareIds(a.employeeId, b.employeeId) ||
    a.startedAt - b.startedAt ||
    compareIds(a.id, b.id) ||
    compareIds(a.workdayId, b.workdayId);
}

/** Compares UUIDs in lower case. */
function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
