import type { Readable } from 'node:stream';
import type { CloudEvent } from '@stechuhr/contracts';
import type { DeletionMarkers, ReferenceLookup } from '@stechuhr/ingest';
import type { Clock } from '@stechuhr/kernel';
import type { Entry } from '../domain/entry.js';
import type { ReportKey, ReportStatus } from '../domain/report.js';
import type { TrackedEmployee } from '../domain/tracked-day.js';
import type { EntryOrigin, EntryStore } from './entry-port.js';
import type { FormStore } from './form-port.js';
import type { ReportStore } from './report-port.js';
import type { Caller, Tenant } from './tenant.js';
import type { UploadStore } from './upload-port.js';
import type { WeatherAgenda } from './weather-port.js';

export type { EntryStore } from './entry-port.js';
export type { Caller, Tenant } from './tenant.js';

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
  /** Empty if it is not set. */
  readonly position: string;
}

/** The records of an institution, regardless of the caller; unknown ids are left out. */
export interface People {
  readEmployees(employeeIds: readonly string[]): Promise<ReadonlyMap<string, Employee>>;
  /** Full names by account. */
  readAccountNames(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * The records service as one caller may see it, except for names, which everybody who sees a report may see. Every call ends with the signal of the
 * request.
 */
export interface CallerRecords extends People {
  /** Undefined if the project does not exist, has daily reports disabled, or is invisible to the caller. */
  findProject(projectId: string): Promise<Project | undefined>;
  /** All projects with daily reports that the caller may see. */
  listProjects(): Promise<readonly Project[]>;
  readInstitutionName(): Promise<string>;
  /** Of all employees who worked on the project that day, regardless of the caller. */
  readProjectDay(report: ReportKey): Promise<readonly TrackedEmployee[]>;
}

/** An entry to be recorded; it gets its sequence when it is written. */
export interface EntryDraft extends Omit<Entry, 'sequence' | 'tagId' | 'date'> {
  /** Checks the newest entry of the group right before the write; true means that nothing has to be written. */
  readonly isNeedless?: (newest: Entry | undefined) => boolean;
  /** For entries from imports and live objects. */
  readonly origin?: EntryOrigin;
}

/** A multipart/form-data form that stores one object. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** An object in the store, by the key of its form. */
export interface StoredPhoto {
  readonly key: string;
  readonly institutionId: string;
  readonly modifiedAt: number;
}

/** Photos in the object store; their URLs are secrets. */
export interface PhotoStore {
  /** Anyone with this URL can read the object for one hour. */
  downloadUrl(key: string): string;
  /** Anyone with this form can store a photo under the key for twelve hours. */
  uploadForm(key: string): UploadForm;
  /** The keys of all photos in the store, in their order: those copied for entries, or those under the keys of their forms. */
  list(which: 'kept' | 'uploaded'): AsyncIterable<StoredPhoto>;
  /** The key to which the photo of an entry is copied; no form can write to it. */
  keptKey(key: string): string;
  /** Whether a copy of the photo exists. */
  isKept(key: string): Promise<boolean>;
  /**
   * Copies an upload to its kept key, unless there is a copy already.
   * @returns false if nothing was uploaded
   */
  keep(key: string): Promise<boolean>;
  /** Removes the object under the key of the form. */
  clear(key: string): Promise<void>;
  /** Removes the upload and its copy. */
  discard(key: string): Promise<void>;
}

/** Removes photos. */
export interface PhotoBin {
  /** Removes all uploads of the institution, including those that no entry references. */
  removeAll(tenant: Tenant): Promise<void>;
}

/** Reads photos. */
export interface PhotoReader {
  /**
   * Starts reading a photo.
   * @throws AppError `not_found` if nothing was uploaded
   */
  open(key: string, signal: AbortSignal): Promise<Readable>;
}

export interface DailyReportEvents {
  recorded(tenant: Tenant, entry: Entry): CloudEvent;
  statusChanged(tenant: Tenant, report: ReportKey, change: { readonly from: ReportStatus; readonly to: ReportStatus }): CloudEvent;
  autofilled(tenant: Tenant, report: ReportKey, fieldIds: readonly string[]): CloudEvent;
  formConfigured(tenant: Tenant, formId: string): CloudEvent;
  /** Publishes that a report was rendered; does not block, and never fails. */
  rendered(tenant: Tenant, report: ReportKey): void;
  tokenIssued(caller: Caller, photoId: string): void;
}

/** The task of a bundle, in the format of the tasks service, which is passed on unchanged. */
export interface AnsweredTask<Task> {
  readonly task: Task;
  /** False if it existed already. */
  readonly started: boolean;
}

/** Tasks that create bundles, as one caller may see them; requests with the same parameters share one task for twelve hours. */
export interface BundleTasks<Task> {
  find(parameters: Readonly<Record<string, string>>): Promise<AnsweredTask<Task> | undefined>;
  start(bundle: {
    readonly parameters: Record<string, string>;
    readonly fileName: string;
    readonly label: string;
  }): Promise<AnsweredTask<Task>>;
}

/** What the operations need, regardless of the caller. */
export interface Ports {
  readonly entries: EntryStore;
  readonly reports: ReportStore;
  readonly forms: FormStore;
  readonly photos: PhotoStore;
  readonly uploads: UploadStore;
  readonly events: DailyReportEvents;
  readonly clock: Clock;
  readonly weatherAgenda: WeatherAgenda;
  /** Notifies the relay of an event in an outbox; does not block. */
  notifyOutbox(): void;
}

/** One call: its caller, and the ports for it. */
export interface Call extends Ports {
  readonly caller: Caller;
  readonly records: CallerRecords;
  readonly signal: AbortSignal;
}

/** What validating and writing lines requires. */
export interface IngestNeeds extends Ports {
  readonly references: ReferenceLookup;
  readonly markers: DeletionMarkers;
  peopleOf(tenant: Tenant): People;
}
