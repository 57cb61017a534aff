import type { CloudEvent } from '@stechuhr/contracts';
import type { Page, PageRequest } from '@stechuhr/kernel';
import type { EpochSecond } from '@stechuhr/worktime';
import type { Description } from '../domain/description.js';
import type { DayBounds, ReportKey, ReportStatus } from '../domain/report.js';
import { NO_ENTRIES, type ReportSize } from '../domain/report-size.js';
import type { StatusChange } from '../domain/status.js';
import type { Tenant } from './tenant.js';

/** A mark of a writer that is about to change entries. */
export interface Mark {
  readonly id: string;
  readonly at: EpochSecond;
  /** Entries of an autofill, which is published when its mark is cleared; entries of all other writers are published one by one. */
  readonly autofilled: readonly { readonly entryId: string; readonly fieldId: string }[];
}

/** A mark on its way into the store. */
export interface Marking {
  readonly mark: Mark;
  readonly sequences: number;
  /** Of the entries that are about to be written. */
  readonly bytes: number;
  /** Only while the log is at this revision. */
  readonly logRevision: number | undefined;
}

/** A report that is to be described. */
export interface MarkedReport extends ReportKey {
  /** Grows with every change of the entries and of the description. */
  readonly revision: number;
  /** Of writers at work, and of those that never came back. */
  readonly marks: readonly Mark[];
}

/** What decides whether a report takes another entry. */
export interface Standing {
  readonly status: ReportStatus;
  /** Of the log that the status comes from; see {@link Marking}. */
  readonly logRevision: number;
  /** With what is being written; of what older versions wrote once it was described again. */
  readonly size: ReportSize;
}

/** That of a report of which nothing is stored. */
export const NEW_REPORT: Standing = { status: 'draft', logRevision: 0, size: NO_ENTRIES };

/** A stored report: the fields that lists show, and whether they are up to date. */
export interface StoredReport extends ReportKey {
  readonly status: ReportStatus;
  /** Of the form that it was described with; null where it never was. */
  readonly formFingerprint: string | null;
  readonly description: Description;
}

/** A new description, valid only for the revision that it was made from. */
export interface DescriptionWrite extends ReportKey {
  readonly revision: number;
  readonly formFingerprint: string;
  readonly description: Description;
  /** Of its entries; undefined while others write. */
  readonly size: ReportSize | undefined;
  /** Marks that are cleared with it. */
  readonly settled: readonly string[];
  /** Events that are published when they are cleared. */
  readonly events: readonly CloudEvent[];
}

export interface ReportPage extends PageRequest {
  readonly projectIds: readonly string[];
  readonly range: DayBounds;
  /** Empty means all. */
  readonly statuses: readonly ReportStatus[];
  /** By date; the project breaks ties, smallest id first. */
  readonly ascending: boolean;
}

/** The changes of a report's status, oldest first. */
export interface StatusLog {
  /** Grows with every write of the log. */
  readonly revision: number;
  readonly changes: readonly StatusChange[];
}

/** A new log, valid only for the revision that it was made from. */
export interface LogWrite {
  readonly after: StatusLog;
  readonly changes: readonly StatusChange[];
  /** None where the status stays. */
  readonly event: CloudEvent | undefined;
}

/** Where a change of status was recorded. */
export interface RecordedChange extends ReportKey {
  readonly institutionId: string;
  readonly change: StatusChange;
}

/** The reports: one document for each project and day. */
export interface ReportStore {
  /** Draft where nothing was recorded. */
  statusOf(tenant: Tenant, report: ReportKey): Promise<ReportStatus>;
  /** By report id; those without a document are left out. */
  load(tenant: Tenant, reports: readonly ReportKey[]): Promise<ReadonlyMap<string, MarkedReport>>;
  /** By report id; those without a document are left out. */
  standings(tenant: Tenant, reports: readonly ReportKey[]): Promise<ReadonlyMap<string, Standing>>;
  /** Reserves this number of sequences and marks the report. @returns the first sequence; undefined where the log has changed */
  mark(tenant: Tenant, report: ReportKey, marking: Marking): Promise<number | undefined>;
  /** Reports with marks. */
  marked(tenant: Tenant, limit: number): Promise<readonly ReportKey[]>;
  /** Reports with marks from before that time, of any institution. */
  leftBehind(before: EpochSecond, limit: number): Promise<readonly (ReportKey & Tenant)[]>;
  /** @returns the ids of the reports that lost the compare-and-set; they are unchanged */
  describe(tenant: Tenant, writes: readonly DescriptionWrite[]): Promise<readonly string[]>;
  page(tenant: Tenant, page: ReportPage): Promise<Page<StoredReport>>;
  /** All of the institution, a slice at a time. */
  all(tenant: Tenant): AsyncIterable<readonly ReportKey[]>;
  /** All of the institution, with events that still wait. */
  removeAll(tenant: Tenant): Promise<void>;
  logOf(tenant: Tenant, report: ReportKey): Promise<StatusLog>;
  /** @returns false when the compare-and-set was lost */
  writeLog(tenant: Tenant, report: ReportKey, write: LogWrite): Promise<boolean>;
  /** Changes by their ids. */
  changes(wanted: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, RecordedChange>>;
}
