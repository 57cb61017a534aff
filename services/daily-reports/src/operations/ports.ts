import type { Clock } from '@stechuhr/kernel';
import type { EpochSecond, Workday } from '@stechuhr/worktime';
import type { Entry } from '../domain/entry.js';
import type { Form } from '../domain/form.js';
import type { ReportKey, ReportStatus } from '../domain/report.js';

/** Whose data is meant: nothing outside the institution exists. */
export interface Tenant {
  readonly institutionId: string;
}

/** Who asks. */
export interface Caller extends Tenant {
  readonly accountId: string;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly color: string;
  readonly address: string;
  readonly costCenter: string;
  readonly client: string;
}

export interface Employee {
  readonly id: string;
  readonly accountId: string | null;
  readonly firstName: string;
  readonly lastName: string;
  /** Empty where it is not set. */
  readonly position: string;
}

/** Tracked time of an employee that touches a day on a project: whole workdays with all their timespans. */
export interface TrackedEmployee {
  readonly employeeId: string;
  readonly workdays: readonly Workday[];
}

/** The records service; every call ends with the signal of the request. */
export interface CallerRecords {
  /** Undefined where the caller may not see the project, it has daily reports disabled, or there is none. */
  findProject(projectId: string): Promise<Project | undefined>;
  /** All projects with daily reports that the caller may see. */
  listProjects(): Promise<readonly Project[]>;
  readInstitutionName(): Promise<string>;
  /** Of the institution, whoever asks: names on a report are seen by all who see the report. Unknown ones are left out. */
  readEmployees(employeeIds: readonly string[]): Promise<ReadonlyMap<string, Employee>>;
  /** Full names by account, as `readEmployees`. */
  readAccountNames(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Of everybody who worked on the project that day, whoever asks. */
  readProjectDay(report: ReportKey): Promise<readonly TrackedEmployee[]>;
}

/** An entry to be recorded; its place among the others is taken when it is written. */
export interface EntryDraft extends Omit<Entry, 'sequence' | 'tagId' | 'date'> {
  /** Judges the newest entry of the group right before the write: true keeps things as they are. */
  readonly isNeedless?: (newest: Entry | undefined) => boolean;
}

/** Which entries of a report to read; signatures are large. */
export interface ReportPart {
  readonly fieldIds?: readonly string[];
}

/** The entries, append-only. Writing them is `recordEntries`' job, which keeps the report in step. */
export interface EntryStore {
  /** All versions, by sequence. */
  ofReport(tenant: Tenant, report: ReportKey, part?: ReportPart): Promise<readonly Entry[]>;
}

/** One change of status. */
export interface StatusChange {
  readonly id: string;
  readonly status: ReportStatus;
  readonly actorId: string;
  readonly at: EpochSecond;
  readonly reason: string | null;
}

/** The reports: one document for each project and day. */
export interface ReportStore {
  /** Draft where nothing was recorded. */
  statusOf(tenant: Tenant, report: ReportKey): Promise<ReportStatus>;
}

export interface FormStore {
  /** All of the institution. */
  list(tenant: Tenant): Promise<readonly Form[]>;
}

/** A form of multipart/form-data that stores one object. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Addresses of photos; all of them are secrets. */
export interface PhotoStore {
  /** Lets whoever has it read the object for one hour. */
  downloadUrl(key: string): string;
  /** Lets whoever has it store a photo under the key for twelve hours. */
  uploadForm(key: string): UploadForm;
}

/** What the operations need, whoever asks. */
export interface Ports {
  readonly entries: EntryStore;
  readonly reports: ReportStore;
  readonly forms: FormStore;
  readonly photos: PhotoStore;
  readonly clock: Clock;
}

/** One call: who asks, and what answers it. */
export interface Call extends Ports {
  readonly caller: Caller;
  readonly records: CallerRecords;
  readonly signal: AbortSignal;
}
