import { uuidV5 } from '@stechuhr/kernel';
import { monthKey } from '@stechuhr/worktime';
import { jsonBytes } from './json-bytes.js';
import type { Fields, Placement } from './kind.js';

/** The institution, the employee and the month. They also identify the document of the month. */
export interface MonthAddress extends Placement {
  readonly institutionId: string;
}

/** When a record was created and last changed. Undefined if it was written by an older version, which did not store these times. */
export interface Times {
  readonly recordedAt: Date | undefined;
  readonly modifiedAt: Date | undefined;
}

/** A workday as stored in its month. */
export interface StoredWorkday extends Times {
  readonly id: string;
  /**
   * Grows with every write of the workday, also when it moves to another month. Of two copies, the one with the higher version is valid.
   */
  readonly version: number;
  readonly sequence: number | undefined;
  readonly fields: Fields;
}

/** The record of the month itself (kind `workmonth`). A month that was created by its first workday has no record. */
export interface MonthRecord {
  readonly id: string;
  readonly sequence: number | undefined;
  readonly fields: Fields;
}

/** The number of entries in a month. */
export interface MonthCounts {
  readonly workdays: number;
  readonly timespans: number;
}

/**
 * The maximum size of the workdays of a month (`bytesOf`): enough for 31 days with full comments, and far below the MongoDB limit for a
 * document.
 */
export const MAX_MONTH_BYTES = 2_097_152;

/**
 * The size from which a month counts as large, about ten times that of a usual month. Employees with large months are read in smaller
 * groups.
 */
export const LARGE_MONTH_BYTES = 262_144;

/**
 * The maximum size of the large months of one employee that are read together, because they are sent in one gRPC message. It is three times
 * `MAX_MONTH_BYTES`, a full month and the two months next to it, so that any stored data can be read month by month.
 */
export const MAX_READ_BYTES = 6_291_456;

/**
 * The maximum size of the workdays since the beginning of an overtime account, in months of any size. More would hardly fit into one gRPC
 * message, and is what twenty years of detailed records have.
 */
export const MAX_ACCOUNT_BYTES = 12_582_912;

/** Returns the share of a workday in the size of its month: the bytes of its fields as JSON. */
export function bytesOf({ fields }: Pick<StoredWorkday, 'fields'>): number {
  return jsonBytes(fields);
}

export interface StoredMonth {
  readonly address: MonthAddress;
  readonly version: number;
  readonly gone: boolean;
  /** Whether the outbox of the document contains events that have not been published. */
  readonly eventsWait: boolean;
  readonly record: MonthRecord | undefined;
  /** Undefined if they were not read. */
  readonly workdays: readonly StoredWorkday[] | undefined;
  /** The stored counts. Undefined for a month that was written before counts were introduced. */
  readonly counts?: MonthCounts | undefined;
  /** The stored size of its workdays in bytes. Undefined for a month that was written before sizes were stored. */
  readonly bytes?: number | undefined;
}

/** Returns the natural key `<institution>/<employee>/<yyyy-mm>`. */
export function monthId({ institutionId, employeeId, year, month }: MonthAddress): string {
  return `${institutionId}/${employeeId}/${monthKey({ year, month })}`;
}

/** Returns the id of a month that has no record of its own. */
export function derivedMonthId(address: MonthAddress): string {
  return uuidV5(address.institutionId, `${address.employeeId}/${monthKey(address)}`);
}
