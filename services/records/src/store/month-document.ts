import type { CloudEvent } from '@stechuhr/contracts';
import {
  derivedMonthId,
  type MonthAddress,
  type MonthCounts,
  type MonthRecord,
  type StoredMonth,
  type StoredWorkday,
} from '../domain/month.js';

/** A month of an employee as it is stored in `workmonths`; `_id` is `<institution>/<employee>/<yyyy-mm>`. */
export interface MonthDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly employee_id: string;
  readonly year: number;
  readonly month: number;
  readonly version: number;
  /** The id of the month's record or, if it has none, a derived id. */
  readonly id: string;
  /** Whether the month has a record of its own (kind `workmonth`). */
  readonly recorded: boolean;
  readonly opening_balance_minutes: number | null;
  readonly sequence?: number;
  readonly workdays?: readonly WorkdayDocument[];
  /**
   * The number of workdays, so that lists can be counted without reading months. Absent in documents that were written before lists
   * existed.
   */
  readonly workday_count?: number | null;
  readonly timespan_count?: number | null;
  /** The size of the workdays (`bytesOf`). Absent in documents that were written before the size was limited. */
  readonly workday_bytes?: number;
  readonly deleted_at?: Date | null;
  /** When the record of the month was created; `modified_at` is when it was changed. Both ignore changes of workdays. */
  readonly recorded_at?: Date;
  readonly modified_at?: Date;
  /** When the document was last written. No workday in it was modified later. */
  readonly touched_at?: Date;
  readonly outbox?: CloudEvent[];
}

export interface WorkdayDocument {
  readonly id: string;
  readonly version: number;
  readonly sequence?: number;
  readonly recorded_at?: Date;
  readonly modified_at?: Date;
}

export function toMonth(document: MonthDocument): StoredMonth {
  const { institution_id, employee_id, year, month, version, workday_count, timespan_count, workday_bytes } = document;
  return {
    address: { institutionId: institution_id, employeeId: employee_id, year, month },
    version,
    gone: Boolean(document.deleted_at),
    eventsWait: (document.outbox?.length ?? 0) > 0,
    record: toMonthRecord(document),
    workdays: document.workdays?.map((workday) => toWorkday(workday, employee_id)),
    counts:
      typeof workday_count === 'number' && typeof timespan_count === 'number'
        ? { workdays: workday_count, timespans: timespan_count }
        : undefined,
    bytes: workday_bytes,
  };
}

function toMonthRecord({ recorded, id, sequence, employee_id, year, month, opening_balance_minutes }: MonthDocument) {
  return recorded ? { id, sequence, fields: { employee_id, year, month, opening_balance_minutes } } : undefined;
}

/** Restores the employee, which is stored only once in the month. */
function toWorkday({ id, version, sequence, recorded_at, modified_at, ...fields }: WorkdayDocument, employeeId: string): StoredWorkday {
  return { id, version, sequence, fields: { employee_id: employeeId, ...fields }, recordedAt: recorded_at, modifiedAt: modified_at };
}

export function fromWorkday({ id, version, sequence, fields, recordedAt, modifiedAt }: StoredWorkday): WorkdayDocument {
  const { employee_id: _, ...own } = fields;
  return {
    id,
    ...own,
    version,
    ...(sequence !== undefined && { sequence }),
    ...(recordedAt !== undefined && { recorded_at: recordedAt }),
    ...(modifiedAt !== undefined && { modified_at: modifiedAt }),
  };
}

/** Returns the counts after workdays were added. Empty if the counts before are unknown. */
export function fromCounts(before: MonthCounts | undefined, added: readonly StoredWorkday[]) {
  if (before === undefined) return {};
  const timespans = added.map(({ fields }) => (Array.isArray(fields.timespans) ? fields.timespans.length : 0));
  const timespanCount = timespans.reduce((sum, count) => sum + count, before.timespans);
  return { workday_count: before.workdays + added.length, timespan_count: timespanCount };
}

export function fromAddress({ institutionId, employeeId, year, month }: MonthAddress) {
  return { institution_id: institutionId, employee_id: employeeId, year, month };
}

export function fromMonthRecord(address: MonthAddress, record: MonthRecord | undefined) {
  const opening = record?.fields.opening_balance_minutes;
  return {
    id: record?.id ?? derivedMonthId(address),
    recorded: record !== undefined,
    opening_balance_minutes: typeof opening === 'number' ? opening : null,
    ...(record?.sequence !== undefined && { sequence: record.sequence }),
  };
}
