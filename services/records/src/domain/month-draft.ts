import { bytesOf, MAX_MONTH_BYTES, monthId, type MonthAddress, type MonthRecord, type StoredMonth, type StoredWorkday } from './month.js';

/** One compare-and-set write of one month. */
export interface MonthWrite<E> {
  readonly address: MonthAddress;
  /** The stored month that this write replaces or changes. A write of a new or deleted month contains the complete content. */
  readonly after: StoredMonth | undefined;
  readonly gone: boolean;
  readonly record: MonthRecord | undefined;
  /** Whether the record of the month was changed or removed. */
  readonly changesRecord: boolean;
  /** `added` is appended to the stored workdays; `all` replaces them. */
  readonly workdays: { readonly added: readonly StoredWorkday[] } | { readonly all: readonly StoredWorkday[] };
  /** The size of all workdays in bytes, including those that were not read. */
  readonly bytes: number;
  readonly events: readonly E[];
}

/** Collects the changes of a batch to one month, so that they become one write. */
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
    // The stored size may be wrong, because older versions do not update it.
    this.bytes = stored.workdays?.reduce((sum, workday) => sum + bytesOf(workday), 0) ?? stored.bytes ?? 0;
  }

  /**
   * Adds or replaces a workday. If the workday may already be stored, the workdays of the month must have been read.
   *
   * @returns false, without any change, if the month would exceed `MAX_MONTH_BYTES`
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

  /** Removes a workday. No event is passed if only a stale copy is removed. */
  remove(id: string, event?: E): void {
    const before = this.workdays.get(id);
    if (before !== undefined) this.bytes -= bytesOf(before);
    this.workdays.delete(id);
    this.rewrites = true;
    this.note(event);
  }

  /**
   * Sets or, with undefined, removes the record of the month. Removing requires that the workdays were read, because the month then exists
   * only for them. Without an event, only the stream sequence of the record changes.
   */
  setRecord(record: MonthRecord | undefined, event?: E): void {
    this.currentRecord = record;
    if (record === undefined || event !== undefined) this.changesRecord = true;
    this.note(event);
  }

  get record(): MonthRecord | undefined {
    return this.currentRecord;
  }

  /** Whether anything was changed. Drafts are also created only to read the record of a month. */
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
