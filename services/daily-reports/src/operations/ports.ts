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
  /** Empty where it is not set. */
  readonly position: string;
}

/** The records of an institution, independent of the caller; unknown ones are left out. */
export interface People {
  readEmployees(employeeIds: readonly string[]): Promise<ReadonlyMap<string, Employee>>;
  /** Full names by account. */
  readAccountNames(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The records service as one caller sees it; names are seen by all who see a report. Every call ends with the signal of the request. */
export interface CallerRecords extends People {
  /** Undefined where the project does not exist, has daily reports disabled, or is invisible to the caller. */
  findProject(projectId: string): Promise<Project | undefined>;
  /** All projects with daily reports that the caller may see. */
  listProjects(): Promise<readonly Project[]>;
  readInstitutionName(): Promise<string>;
  /** Of all employees who worked on the project that day, whoever the caller is. */
  readProjectDay(report: ReportKey): Promise<readonly TrackedEmployee[]>;
}

/** An entry to be recorded; its place among the others is taken when it is written. */
export interface EntryDraft extends Omit<Entry, 'sequence' | 'tagId' | 'date'> {
  /** Checks the newest entry of the group right before the write; true means that nothing has to be written. */
  readonly isNeedless?: (newest: Entry | undefined) => boolean;
  /** Of what came from outside. */
  readonly origin?: EntryOrigin;
}

/** A form of multipart/form-data that stores one object. */
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

/** Photos in the object store; their addresses are secrets. */
export interface PhotoStore {
  /** Anyone with this address can read the object for one hour. */
  downloadUrl(key: string): string;
  /** Anyone with this form can store a photo under the key for twelve hours. */
  uploadForm(key: string): UploadForm;
  /** The keys of all uploads that are there, in their order: those that are kept, or those under the keys of their forms. */
  list(which: 'kept' | 'uploaded'): AsyncIterable<StoredPhoto>;
  /** The key under which the object of an entry is kept; there is no form for it. */
  keptKey(key: string): string;
  /** Whether something is kept of the key. */
  isKept(key: string): Promise<boolean>;
  /** Copies an upload to its kept key, unless something is kept there already. @returns false when nothing was uploaded */
  keep(key: string): Promise<boolean>;
  /** Removes what lies under the key of the form. */
  clear(key: string): Promise<void>;
  /** Removes it, and what is kept of it. */
  discard(key: string): Promise<void>;
}

/** Removes photos. */
export interface PhotoBin {
  /** All uploads of the institution, also those that no entry names. */
  removeAll(tenant: Tenant): Promise<void>;
}

/** Reads photos. */
export interface PhotoReader {
  /** Starts reading one. @throws AppError `not_found` where nothing was uploaded */
  open(key: string, signal: AbortSignal): Promise<Readable>;
}

export interface DailyReportEvents {
  recorded(tenant: Tenant, entry: Entry): CloudEvent;
  statusChanged(tenant: Tenant, report: ReportKey, change: { readonly from: ReportStatus; readonly to: ReportStatus }): CloudEvent;
  autofilled(tenant: Tenant, report: ReportKey, fieldIds: readonly string[]): CloudEvent;
  formConfigured(tenant: Tenant, formId: string): CloudEvent;
  /** Publishes it; never waits and never fails. */
  rendered(tenant: Tenant, report: ReportKey): void;
  tokenIssued(caller: Caller, photoId: string): void;
}

/** The task of a bundle, which is passed on as the tasks service answers it. */
export interface AnsweredTask<Task> {
  readonly task: Task;
  /** False when it existed before. */
  readonly started: boolean;
}

/** Tasks that write bundles, as one caller sees them; requests with the same parameters have the same task for twelve hours. */
export interface BundleTasks<Task> {
  find(parameters: Readonly<Record<string, string>>): Promise<AnsweredTask<Task> | undefined>;
  start(bundle: {
    readonly parameters: Record<string, string>;
    readonly fileName: string;
    readonly label: string;
  }): Promise<AnsweredTask<Task>>;
}

/** What the operations need, independent of the caller. */
export interface Ports {
  readonly entries: EntryStore;
  readonly reports: ReportStore;
  readonly forms: FormStore;
  readonly photos: PhotoStore;
  readonly uploads: UploadStore;
  readonly events: DailyReportEvents;
  readonly clock: Clock;
  readonly weatherAgenda: WeatherAgenda;
  /** Notifies the relay of an event in an outbox; returns at once. */
  notifyOutbox(): void;
}

/** One call: who asks, and what answers it. */
export interface Call extends Ports {
  readonly caller: Caller;
  readonly records: CallerRecords;
  readonly signal: AbortSignal;
}

/** What judging and writing lines needs. */
export interface IngestNeeds extends Ports {
  readonly references: ReferenceLookup;
  readonly markers: DeletionMarkers;
  peopleOf(tenant: Tenant): People;
}
