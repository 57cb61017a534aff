import { bytesOf, MAX_MONTH_BYTES, monthId, type MonthAddress, type MonthRecord, type StoredMonth, type StoredWorkday } from './month.js';

/** One write of a month, by compare-and-set. */
export interface MonthWrite<E> {
  readonly address: MonthAddress;
  /** The stored month. A write of a new or deleted month contains the whole document. */
  readonly after: StoredMonth | undefined;
  readonly gone: boolean;
  readonly record: MonthRecord | undefined;
  /** Whether the record about the month was changed or deleted. */
  readonly changesRecord: boolean;
  /** `added` are appended, `all` replace the stored ones. */
  readonly workdays: { readonly added: readonly StoredWorkday[] } | { readonly all: readonly StoredWorkday[] };
  /** Size of all workdays, including those that were not read. */
  readonly bytes: number;
  readonly events: readonly E[];
}

/** Collects the changes that a batch makes to one month, so that they become one write. */
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
    // The stored size may be wrong if an old version has written the month, which does not maintain it.
    this.bytes = stored.workdays?.reduce((sum, workday) => sum + bytesOf(workday), 0) ?? stored.bytes ?? 0;
  }

  /**
   * Adds or replaces a workday. If it may already exist, the month must have been read with its workdays.
   * @returns false, without a change, if the month would become too large
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

  /** Removes a workday; without an event, if only an outdated copy is removed. */
  remove(id: string, event?: E): void {
    const before = this.workdays.get(id);
    if (before !== undefined) this.bytes -= bytesOf(before);
    this.workdays.delete(id);
    this.rewrites = true;
    this.note(event);
  }

  /**
   * Sets the record about the month. Undefined leaves a month that exists only because of its workdays, which must have been read. Without an event,
   * only the stream position changes.
   */
  setRecord(record: MonthRecord | undefined, event?: E): void {
    this.currentRecord = record;
    if (record === undefined || event !== undefined) this.changesRecord = true;
    this.note(event);
  }

  get record(): MonthRecord | undefined {
    return this.currentRecord;
  }

  /** False for a draft that was only read. */
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
