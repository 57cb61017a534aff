import type { Readable } from 'node:stream';
import type { CloudEvent } from '@stechuhr/contracts';
import type { DeletionMarkers, ReferenceLookup } from '@stechuhr/ingest';
import type { Clock, CountedLimit } from '@stechuhr/kernel';
import type { Entry } from '../domain/entry.js';
import type { ReportKey, ReportStatus } from '../domain/report.js';
import type { TrackedEmployee } from '../domain/tracked-day.js';
import type { EntryOrigin, EntryStore, KnownEntry } from './entry-port.js';
import type { FormStore } from './form-port.js';
import type { ReportStore } from './report-port.js';
import type { Caller, IsGone, Tenant } from './tenant.js';
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

/** Reads names of people in an institution, regardless of the caller. Unknown ids are left out. */
export interface People {
  readEmployees(employeeIds: readonly string[]): Promise<ReadonlyMap<string, Employee>>;
  /** Returns full names by account. */
  readAccountNames(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The records service for one caller. Names are visible to everyone who sees a report. Calls end when the signal of the request aborts. */
export interface CallerRecords extends People {
  /** Returns a project; undefined if it does not exist, has daily reports disabled, or is not visible to the caller. */
  findProject(projectId: string): Promise<Project | undefined>;
  /** Returns all projects with daily reports that the caller may see. */
  listProjects(): Promise<readonly Project[]>;
  readInstitutionName(): Promise<string>;
  /** Returns the tracked time of all employees on the project that day, regardless of the caller. */
  readProjectDay(report: ReportKey): Promise<readonly TrackedEmployee[]>;
}

/** An entry to record. Its sequence is assigned when it is written. */
export interface EntryDraft extends Omit<Entry, 'sequence' | 'tagId' | 'date'> {
  /** Checks the newest entry of the group right before the write. Returns true if nothing has to be written. */
  readonly isNeedless?: (newest: Entry | undefined) => boolean;
  /** Set for imported entries and live objects. */
  readonly origin?: EntryOrigin;
}

/** A multipart/form-data form that stores one object. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** An object in the store, identified by the key of its form. */
export interface StoredPhoto {
  readonly key: string;
  readonly institutionId: string;
  readonly modifiedAt: number;
}

/** The photos in the object store. Their addresses are secrets. */
export interface PhotoStore {
  /** Returns an address with which anyone can read the object for one hour. */
  downloadUrl(key: string): string;
  /** Returns a form with which anyone can store a photo under the key for twelve hours. */
  uploadForm(key: string): UploadForm;
  /** Lists all uploads, sorted by key: those that are kept, or those under the keys of their forms. */
  list(which: 'kept' | 'uploaded'): AsyncIterable<StoredPhoto>;
  /** Returns the key under which the object of an entry is kept. There is no upload form for it. */
  keptKey(key: string): string;
  /** Returns whether an object is kept for the key. */
  isKept(key: string): Promise<boolean>;
  /** Copies an upload to its kept key, unless an object is already kept there. @returns false if nothing was uploaded */
  keep(key: string): Promise<boolean>;
  /** Removes the object under the key of the form. */
  clear(key: string): Promise<void>;
  /** Removes the object under the key of the form and the kept one. */
  discard(key: string): Promise<void>;
}

/** Removes photos. */
export interface PhotoBin {
  /** Removes all uploads of the institution, including those to which no entry refers. @returns false if the institution exists again */
  removeAll(tenant: Tenant, isGone: IsGone): Promise<boolean>;
}

/** Reads photos. */
export interface PhotoReader {
  /** Opens a photo. @throws AppError `not_found` if nothing was uploaded */
  open(key: string, signal: AbortSignal): Promise<Readable>;
}

/** The mark of an autofill, and the fields that it wrote. */
export interface WrittenAutofill {
  readonly markId: string;
  readonly fieldIds: readonly string[];
}

export interface DailyReportEvents {
  recorded(tenant: Tenant, entry: Entry): CloudEvent;
  removed(tenant: Tenant, entry: KnownEntry): CloudEvent;
  statusChanged(tenant: Tenant, report: ReportKey, change: { readonly from: ReportStatus; readonly to: ReportStatus }): CloudEvent;
  /** The event of an autofill with these fields always has the same id, because two processes may create it. */
  autofilled(tenant: Tenant, report: ReportKey, autofill: WrittenAutofill): CloudEvent;
  formConfigured(tenant: Tenant, formId: string): CloudEvent;
  /** Publishes the event. It neither waits nor fails. */
  rendered(tenant: Tenant, report: ReportKey): void;
  tokenIssued(caller: Caller, photoId: string): void;
}

/** The task of a bundle as the tasks service returned it. */
export interface AnsweredTask<Task> {
  readonly task: Task;
  /** False if the task already existed. */
  readonly started: boolean;
}

/** The bundle tasks of one caller. Requests with the same parameters share a task for twelve hours. */
export interface BundleTasks<Task> {
  find(parameters: Readonly<Record<string, string>>): Promise<AnsweredTask<Task> | undefined>;
  start(bundle: {
    readonly parameters: Record<string, string>;
    readonly fileName: string;
    readonly label: string;
  }): Promise<AnsweredTask<Task>>;
}

/** The dependencies of the operations. */
export interface Ports {
  readonly entries: EntryStore;
  readonly reports: ReportStore;
  readonly forms: FormStore;
  readonly photos: PhotoStore;
  readonly uploads: UploadStore;
  /** The number of photos of an institution that no entry names. */
  readonly unnamedUploads: CountedLimit;
  readonly events: DailyReportEvents;
  readonly clock: Clock;
  readonly weatherAgenda: WeatherAgenda;
  /** Notifies the relay that an event was written into an outbox. Does not wait. */
  notifyOutbox(): void;
}

/** The caller and the dependencies of one call. */
export interface Call extends Ports {
  readonly caller: Caller;
  readonly records: CallerRecords;
  readonly signal: AbortSignal;
}

/** The dependencies for validating and writing lines. */
export interface IngestNeeds extends Ports {
  readonly references: ReferenceLookup;
  /** Omitted in a dry run. */
  readonly markers?: DeletionMarkers;
  peopleOf(tenant: Tenant): People;
}
