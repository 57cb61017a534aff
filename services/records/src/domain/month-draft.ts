import { monthId, type MonthAddress, type MonthRecord, type StoredMonth, type StoredWorkday } from './month.js';

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

  constructor(
    readonly address: MonthAddress,
    private readonly stored: StoredMonth | undefined,
  ) {
    this.id = monthId(address);
    if (stored === undefined || stored.gone) return;
    this.currentRecord = stored.record;
    for (const workday of stored.workdays ?? []) this.workdays.set(workday.id, workday);
  }

  /** Adds or replaces. A workday that may already be there needs a month whose workdays were read. */
  put(workday: StoredWorkday, event?: E): void {
    if (this.workdays.has(workday.id)) this.rewrites = true;
    else this.added.push(workday);
    this.workdays.set(workday.id, workday);
    this.note(event);
  }

  /** Removes a workday; without an event if only a stale copy is removed. */
  remove(id: string, event?: E): void {
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
      events: this.events,
    };
  }
}
