import type { CloudEvent } from '@stechuhr/contracts';
import type { Page, PageRequest } from '@stechuhr/kernel';
import type { EpochSecond } from '@stechuhr/worktime';
import type { Description } from '../domain/description.js';
import type { DayBounds, ReportKey, ReportStatus } from '../domain/report.js';
import { NO_ENTRIES, type ReportSize } from '../domain/report-size.js';
import type { StatusChange } from '../domain/status.js';
import type { Tenant } from './tenant.js';

/** Marks a report whose entries a writer is about to change. */
export interface Mark {
  readonly id: string;
  readonly at: EpochSecond;
  /** Entries of an autofill, which is published when its mark is cleared; other entries are published individually. */
  readonly autofilled: readonly { readonly entryId: string; readonly fieldId: string }[];
}

/** A mark to be stored. */
export interface Marking {
  readonly mark: Mark;
  readonly sequences: number;
  /** Size of the entries that are about to be written. */
  readonly bytes: number;
  /** The revision that the log must still have. */
  readonly logRevision: number | undefined;
}

/** A report whose description has to be computed. */
export interface MarkedReport extends ReportKey {
  /** Increases with every change of the entries and of the description. */
  readonly revision: number;
  /** Marks of active writers, and of those that were interrupted. */
  readonly marks: readonly Mark[];
}

/** What decides whether a report accepts another entry. */
export interface Standing {
  readonly status: ReportStatus;
  /** The revision of the log that the status comes from; see {@link Marking}. */
  readonly logRevision: number;
  /** Includes entries that are being written. Entries of older versions are included once the report was described again. */
  readonly size: ReportSize;
}

/** The standing of a report that is not stored yet. */
export const NEW_REPORT: Standing = { status: 'draft', logRevision: 0, size: NO_ENTRIES };

/** A stored report: the fields that lists show, and whether they are up to date. */
export interface StoredReport extends ReportKey {
  readonly status: ReportStatus;
  /** Of the form that it was described with; null if it never was. */
  readonly formFingerprint: string | null;
  readonly description: Description;
}

/** A new description, valid only for the revision from which it was computed. */
export interface DescriptionWrite extends ReportKey {
  readonly revision: number;
  readonly formFingerprint: string;
  readonly description: Description;
  /** Size of its entries; undefined while others are writing. */
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
  /** Orders by date; within a date, by ascending project id. */
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

/** Where a status change was recorded. */
export interface RecordedChange extends ReportKey {
  readonly institutionId: string;
  readonly change: StatusChange;
}

/** The reports: one document for each project and day. */
export interface ReportStore {
  /** Draft if nothing was recorded. */
  statusOf(tenant: Tenant, report: ReportKey): Promise<ReportStatus>;
  /** By report id; reports without a document are left out. */
  load(tenant: Tenant, reports: readonly ReportKey[]): Promise<ReadonlyMap<string, MarkedReport>>;
  /** By report id; reports without a document are left out. */
  standings(tenant: Tenant, reports: readonly ReportKey[]): Promise<ReadonlyMap<string, Standing>>;
  /**
   * Reserves this number of sequences and marks the report.
   * @returns the first sequence; undefined if the log has changed
   */
  mark(tenant: Tenant, report: ReportKey, marking: Marking): Promise<number | undefined>;
  /** Reports with marks. */
  marked(tenant: Tenant, limit: number): Promise<readonly ReportKey[]>;
  /** Reports of all institutions with marks from before that time. */
  leftBehind(before: EpochSecond, limit: number): Promise<readonly (ReportKey & Tenant)[]>;
  /** @returns the ids of the reports that were changed by another process and were therefore not written */
  describe(tenant: Tenant, writes: readonly DescriptionWrite[]): Promise<readonly string[]>;
  page(tenant: Tenant, page: ReportPage): Promise<Page<StoredReport>>;
  /** All reports of the institution, in slices. */
  all(tenant: Tenant): AsyncIterable<readonly ReportKey[]>;
  /** Removes all reports of the institution, including unpublished events. */
  removeAll(tenant: Tenant): Promise<void>;
  logOf(tenant: Tenant, report: ReportKey): Promise<StatusLog>;
  /** @returns false if the log was changed by another process */
  writeLog(tenant: Tenant, report: ReportKey, write: LogWrite): Promise<boolean>;
  /** Changes by their ids. */
  changes(wanted: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, RecordedChange>>;
}
