import type { CloudEvent } from '@stechuhr/contracts';
import type { Page, PageRequest } from '@stechuhr/kernel';
import type { EpochSecond } from '@stechuhr/worktime';
import type { Description } from '../domain/description.js';
import type { DayBounds, ReportKey, ReportStatus } from '../domain/report.js';
import { NO_ENTRIES, type ReportSize } from '../domain/report-size.js';
import type { StatusChange } from '../domain/status.js';
import type { IsGone, Tenant } from './tenant.js';

/** Marks a report whose entries a writer is about to change. */
export interface Mark {
  /** Time-ordered, because the id of the event of an autofill follows from it. */
  readonly id: string;
  readonly at: EpochSecond;
  /**
   * The entries of an autofill, whose single event is published when its mark is cleared. Entries of other writers are published
   * individually.
   */
  readonly autofilled: readonly { readonly entryId: string; readonly fieldId: string }[];
}

/** A mark to store. */
export interface Marking {
  readonly mark: Mark;
  readonly sequences: number;
  /** The size of the entries that are about to be written. */
  readonly bytes: number;
  /** The mark is stored only if the log has this revision. */
  readonly logRevision: number | undefined;
}

/** A report whose fields are to be computed. */
export interface MarkedReport extends ReportKey {
  /** Increases with every change of the entries and of the description. */
  readonly revision: number;
  /** The marks of active writers and of interrupted ones. */
  readonly marks: readonly Mark[];
}

/** The state that determines whether a report accepts another entry. */
export interface Standing {
  readonly status: ReportStatus;
  /** Position in the stream of live objects of the last change of the status; undefined if there is none, or it was recorded otherwise. */
  readonly statusSequence: number | undefined;
  /** The revision of the log from which the status comes; see {@link Marking}. */
  readonly logRevision: number;
  /** The size including entries that are being written. Entries of older versions are included once the report has been computed again. */
  readonly size: ReportSize;
  /** The sequence of its next entry. */
  readonly nextSequence: number;
}

/** The standing of a report that is not stored yet. */
export const NEW_REPORT: Standing = { status: 'draft', statusSequence: undefined, logRevision: 0, size: NO_ENTRIES, nextSequence: 0 };

/** A stored report: the fields that lists show, and whether they are up to date. */
export interface StoredReport extends ReportKey {
  readonly status: ReportStatus;
  /** The fingerprint of the form with which the description was computed; null if there is none yet. */
  readonly formFingerprint: string | null;
  readonly description: Description;
}

/** A stored report with the size of its entries; 0 if none was written since an older version. */
export interface SizedReport extends ReportKey {
  readonly size: ReportSize;
}

/** A new description, valid only for the revision from which it was computed. */
export interface DescriptionWrite extends ReportKey {
  readonly revision: number;
  readonly formFingerprint: string;
  readonly description: Description;
  /** The size of its entries; undefined while other writers are active. */
  readonly size: ReportSize | undefined;
  /** The ids of the marks to clear. */
  readonly settled: readonly string[];
  /** The events to publish when the marks are cleared. */
  readonly events: readonly CloudEvent[];
}

export interface ReportPage extends PageRequest {
  readonly projectIds: readonly string[];
  readonly range: DayBounds;
  /** Empty means all. */
  readonly statuses: readonly ReportStatus[];
  /** The order of dates. Reports of the same date are sorted by project id, ascending. */
  readonly ascending: boolean;
}

/** The changes of a report's status, oldest first. */
export interface StatusLog {
  /** Increases with every write of the log. */
  readonly revision: number;
  readonly changes: readonly StatusChange[];
}

/** A new log, valid only for the revision from which it was made. */
export interface LogWrite {
  readonly after: StatusLog;
  readonly changes: readonly StatusChange[];
  /** Undefined if the status does not change. */
  readonly event: CloudEvent | undefined;
}

/** A recorded status change with its report. */
export interface RecordedChange extends ReportKey {
  readonly institutionId: string;
  readonly change: StatusChange;
}

/** A part of the reports in the order of their keys: after one key, and up to another one if it is given. */
export interface ReportRange {
  readonly after: string;
  readonly upTo?: string;
  readonly limit: number;
}

/** Stores reports: one document for each project and day. */
export interface ReportStore {
  /** Returns the status; draft if nothing was recorded. */
  statusOf(tenant: Tenant, report: ReportKey): Promise<ReportStatus>;
  /** By report id; reports without a document are left out. */
  load(tenant: Tenant, reports: readonly ReportKey[]): Promise<ReadonlyMap<string, MarkedReport>>;
  /** By report id; reports without a document are left out. */
  standings(tenant: Tenant, reports: readonly ReportKey[]): Promise<ReadonlyMap<string, Standing>>;
  /** Reserves this number of sequences and marks the report. @returns the first sequence; undefined if the log has changed */
  mark(tenant: Tenant, report: ReportKey, marking: Marking): Promise<number | undefined>;
  /** Returns the reports with marks: those that are being written, and those whose writer was interrupted in the last minutes. */
  marked(tenant: Tenant): Promise<readonly ReportKey[]>;
  /** Returns reports of any institution with marks from before this time, in the order of their keys. */
  leftBehind(before: EpochSecond, range: ReportRange): Promise<readonly (ReportKey & Tenant & { readonly key: string })[]>;
  /** Stores descriptions. @returns the ids of the reports that lost the compare-and-set; these are unchanged */
  describe(tenant: Tenant, writes: readonly DescriptionWrite[]): Promise<readonly string[]>;
  page(tenant: Tenant, page: ReportPage): Promise<Page<StoredReport>>;
  /** Returns a page of reports without what lists show of them, which may be large. */
  sizes(tenant: Tenant, page: ReportPage): Promise<Page<SizedReport>>;
  /** Streams all reports of the institution in slices. */
  all(tenant: Tenant): AsyncIterable<readonly ReportKey[]>;
  /** Deletes all reports of the institution, including unpublished events. @returns false if the institution exists again */
  removeAll(tenant: Tenant, isGone: IsGone): Promise<boolean>;
  logOf(tenant: Tenant, report: ReportKey): Promise<StatusLog>;
  /** @returns false if the log was changed by another process */
  writeLog(tenant: Tenant, report: ReportKey, write: LogWrite): Promise<boolean>;
  /** Returns recorded changes by id. */
  changes(wanted: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, RecordedChange>>;
}
