import { uuidV5 } from '@stechuhr/kernel';
import { monthKey } from '@stechuhr/worktime';
import type { Fields, Placement } from './kind.js';

/** Which month of which employee; also the address of its document. */
export interface MonthAddress extends Placement {
  readonly institutionId: string;
}

/** When a record was created and last changed; undefined where a version wrote it that did not keep it. */
export interface Times {
  readonly recordedAt: Date | undefined;
  readonly modifiedAt: Date | undefined;
}

/** A workday as it is stored in its month. */
export interface StoredWorkday extends Times {
  readonly id: string;
  /** Grows with every write of the workday, also across months: of two copies the higher one counts. */
  readonly version: number;
  readonly sequence: number | undefined;
  readonly fields: Fields;
}

/** What is recorded about the month itself; a month that was created by its first workday has none of it. */
export interface MonthRecord {
  readonly id: string;
  readonly sequence: number | undefined;
  readonly fields: Fields;
}

/** How much is in a month. */
export interface MonthCounts {
  readonly workdays: number;
  readonly timespans: number;
}

/** Of the workdays of a month (`bytesOf`): as much as 31 days may say in comments, and far from the end of a document. */
export const MAX_MONTH_BYTES = 2_097_152;

/** Ten times what usual months have: where an employee has such, fewer employees are read at a time. */
export const LARGE_MONTH_BYTES = 262_144;

/**
 * Of the large months of one employee that are read at a time, which is one message of gRPC: three times `MAX_MONTH_BYTES`, a full month and
 * its neighbours, so that whatever is stored can be read by the month.
 */
export const MAX_READ_BYTES = 6_291_456;

/** How much a workday takes of its month: its fields as JSON. */
export function bytesOf({ fields }: Pick<StoredWorkday, 'fields'>): number {
  return Buffer.byteLength(JSON.stringify(fields));
}

export interface StoredMonth {
  readonly address: MonthAddress;
  readonly version: number;
  readonly gone: boolean;
  /** Whether events wait in it to be published. */
  readonly eventsWait: boolean;
  readonly record: MonthRecord | undefined;
  /** Undefined where they were not read. */
  readonly workdays: readonly StoredWorkday[] | undefined;
  /** The stored count; a month that was written before counts existed has none. */
  readonly counts?: MonthCounts | undefined;
  /** What its workdays take, as it was stored; a month that was written before it was has none. */
  readonly bytes?: number | undefined;
}

/** The natural key `<institution>/<employee>/<yyyy-mm>`. */
export function monthId({ institutionId, employeeId, year, month }: MonthAddress): string {
  return `${institutionId}/${employeeId}/${monthKey({ year, month })}`;
}

/** The id of a month without its own record. */
export function derivedMonthId(address: MonthAddress): string {
  return uuidV5(address.institutionId, `${address.employeeId}/${monthKey(address)}`);
}
