import { bytesOf, MAX_MONTH_BYTES, monthId, type MonthAddress, type MonthRecord, type StoredMonth, type StoredWorkday } from './month.js';

/** One write of one month, by compare-and-set. */
export interface MonthWrite<E> {
  readonly address: MonthAddress;
  /** The stored month; a write of a new or deleted month contains everything. */
  readonly after: StoredMonth | undefined;
  readonly gone: boolean;
  readonly record: MonthRecord | undefined;
  /** Whether the record is not what it was, or not there any more. */
  readonly changesRecord: boolean;
  /** `added` are appended, `all` replace what is stored. */
  readonly workdays: { readonly added: readonly StoredWorkday[] } | { readonly all: readonly StoredWorkday[] };
  /** What all workdays take, also those that were not read. */
  readonly bytes: number;
  readonly events: readonly E[];
}

/** Collects what a batch does to one month, so that it becomes one write. */
export class MonthDraft<E> {
  readonly id: string;
  private readonly events: E[] = [];
  private readonly workdays = new Map<string, StoredWorkday>();
  private readonly added: StoredWorkday[] = [];
  private rewrites = false;
  private touched = false;
  private currentRecord: MonthRecord | undefined;
  private changesRecord = false;
  private bytes = 0;

  constructor(
    readonly address: MonthAddress,
    private readonly stored: StoredMonth | undefined,
  ) {
    this.id = monthId(address);
    if (stored === undefined || stored.gone) return;
    this.currentRecord = stored.record;
    for (const workday of stored.workdays ?? []) this.workdays.set(workday.id, workday);
    // What is stored may be wrong where a version has written that does not know it.
    this.bytes = stored.workdays?.reduce((sum, workday) => sum + bytesOf(workday), 0) ?? stored.bytes ?? 0;
  }

  /**
   * Adds or replaces. A workday that may already be there needs a month whose workdays were read.
   *
   * @returns false, and does nothing, where the month would have more than it may
   */
  put(workday: StoredWorkday, event?: E): boolean {
    const before = this.workdays.get(workday.id);
    const growth = bytesOf(workday) - (before === undefined ? 0 : bytesOf(before));
    if (growth > 0 && this.bytes + growth > MAX_MONTH_BYTES) return false;
    if (before === undefined) this.added.push(workday);
    else this.rewrites = true;
    this.workdays.set(workday.id, workday);
    this.bytes += growth;
    this.note(event);
    return true;
  }

  /** Removes a workday; without an event if only a stale copy is removed. */
  remove(id: string, event?: E): void {
    const before = this.workdays.get(id);
    if (before !== undefined) this.bytes -= bytesOf(before);
    this.workdays.delete(id);
    this.rewrites = true;
    this.note(event);
  }

  /**
   * Undefined makes it a month that only its workdays keep; this needs a month whose workdays were read. Without an event only its place in
   * the stream changes.
   */
  setRecord(record: MonthRecord | undefined, event?: E): void {
    this.currentRecord = record;
    if (record === undefined || event !== undefined) this.changesRecord = true;
    this.note(event);
  }

  get record(): MonthRecord | undefined {
    return this.currentRecord;
  }

  /** A draft may be looked at without changing anything. */
  get isTouched(): boolean {
    return this.touched;
  }

  private note(event: E | undefined): void {
    this.touched = true;
    if (event !== undefined) this.events.push(event);
  }

  write(): MonthWrite<E> {
    const fresh = this.stored === undefined || this.stored.gone;
    const known = fresh || this.stored.workdays !== undefined;
    const all = [...this.workdays.values()];
    return {
      address: this.address,
      after: this.stored,
      gone: known && all.length === 0 && this.record === undefined,
      record: this.record,
      changesRecord: this.changesRecord,
      workdays: fresh || this.rewrites ? { all } : { added: this.added },
      bytes: Math.max(0, this.bytes),
      events: this.events,
    };
  }
}
