import { uuidV5 } from '@stechuhr/kernel';
import { monthKey } from '@stechuhr/worktime';
import type { Fields, Placement } from './kind.js';

/** An employee's month; identifies its document. */
export interface MonthAddress extends Placement {
  readonly institutionId: string;
}

/** When a record was created and last changed; undefined if an old version wrote it, which did not store them. */
export interface Times {
  readonly recordedAt: Date | undefined;
  readonly modifiedAt: Date | undefined;
}

/** A workday as stored in its month. */
export interface StoredWorkday extends Times {
  readonly id: string;
  /** Increases with every write of the workday, also across months: of two copies, the one with the higher version is valid. */
  readonly version: number;
  readonly sequence: number | undefined;
  readonly fields: Fields;
}

/** The record about the month itself; a month created by its first workday has none. */
export interface MonthRecord {
  readonly id: string;
  readonly sequence: number | undefined;
  readonly fields: Fields;
}

/** The number of records in a month. */
export interface MonthCounts {
  readonly workdays: number;
  readonly timespans: number;
}

/** Limit for the workdays of a month (`bytesOf`): room for long comments on 31 days, and far below the size limit of a document. */
export const MAX_MONTH_BYTES = 2_097_152;

/** Ten times the size of a usual month. For employees with such months, fewer employees are read at a time. */
export const LARGE_MONTH_BYTES = 262_144;

/**
 * Limit for large months of one employee that are read together, which become one gRPC message: three times `MAX_MONTH_BYTES`, a full month with its
 * neighbours, so that everything stored can be read month by month.
 */
export const MAX_READ_BYTES = 6_291_456;

/** The size of a workday: its fields as JSON. */
export function bytesOf({ fields }: Pick<StoredWorkday, 'fields'>): number {
  return Buffer.byteLength(JSON.stringify(fields));
}

export interface StoredMonth {
  readonly address: MonthAddress;
  readonly version: number;
  readonly gone: boolean;
  /** Whether it contains events that are not published yet. */
  readonly eventsWait: boolean;
  readonly record: MonthRecord | undefined;
  /** Undefined if they were not read. */
  readonly workdays: readonly StoredWorkday[] | undefined;
  /** The stored number of records; undefined for months written before counts existed. */
  readonly counts?: MonthCounts | undefined;
  /** The stored size of its workdays; undefined for months written before sizes existed. */
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
