import type { Json } from '../harness/types.js';
import { createLogger } from '@stechuhr/service';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';

/** The months of working time that a case reads directly from the database of `records`. */
export interface StoredMonths {
  readonly mongodbUrl: string;
  readonly institutionId: string;
  /** In the order of the exported file. */
  readonly employeeIds: readonly string[];
  /** `YYYY-MM`, including the adjacent months. */
  readonly months: readonly string[];
}

export interface SpanDocument {
  readonly type: 'work' | 'break';
  readonly started_at: Date;
  readonly ended_at: Date;
}

export interface WorkdayDocument {
  readonly date: number;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly timespans: readonly SpanDocument[];
}

/** The fields of a stored month that the cases read. */
export interface MonthDocument {
  readonly _id: string;
  readonly employee_id: string;
  readonly workdays: readonly WorkdayDocument[];
}

/** The documents of `records` that a floor reads, as filters of the driver. */
export interface DrainValues {
  readonly mongodbUrl: string;
  readonly drains: readonly { readonly collection: string; readonly filter: Readonly<Record<string, Json>> }[];
}

/** Excludes events, which exports do not read. */
export const MONTH_PROJECTION = { outbox: 0 } as const;

const EMPLOYEES_A_SLICE = 18;

/** Connects to the database of a service, runs `work` with it, and closes the connection. */
export async function withDatabase<T>(url: string, service: string, work: (database: MongoDb) => Promise<T>): Promise<T> {
  const logger = createLogger('bench', 'error');
  const database = await connectMongo({ url, database: `stechuhr_${service}`, logger });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Yields the ids of months in slices of 18 employees, which is the size of a slice of the platform for a year. */
export function* monthIdSlices({ institutionId, employeeIds, months }: StoredMonths): Generator<readonly string[]> {
  for (let first = 0; first < employeeIds.length; first += EMPLOYEES_A_SLICE) {
    const slice = employeeIds.slice(first, first + EMPLOYEES_A_SLICE);
    yield slice.flatMap((employeeId) => months.map((month) => `${institutionId}/${employeeId}/${month}`));
  }
}

/** Returns a filter for all months. */
export function monthsFilter(stored: StoredMonths): DrainValues['drains'][number] {
  return { collection: 'workmonths', filter: { _id: { $in: [...monthIdSlices(stored)].flat() } } };
}

/** Returns all months between two, both inclusive. */
export function monthsBetween(from: string, to: string): readonly string[] {
  const ordinal = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
  return Array.from({ length: ordinal(to) - ordinal(from) + 1 }, (_, index) => {
    const at = ordinal(from) + index;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}
