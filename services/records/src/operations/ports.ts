import type { StreamOrder, WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { DeletionMarkers } from '@stechuhr/ingest';
import type { Clock } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import type { Account, Department, Employee, EntitledEmployee, Institution, ListedAccount, Project } from '../domain/directory.js';
import type { PayrollEmployee } from '../domain/accounting-numbers.js';
import type { Fields, KindName } from '../domain/kind.js';
import type { MonthWrite } from '../domain/month-draft.js';
import type { MonthAddress, StoredMonth } from '../domain/month.js';
import type { ProjectDay } from '../domain/project-day.js';
import type { DocumentKind, RecordState, StoredRecord } from '../domain/stored-record.js';
import type { Place } from '../domain/stream-clock.js';
import type { EmployeeSlice, LargeMonths, Starts, TimeRecordsQuery } from '../domain/time-records.js';

/** A write of a record, by compare-and-set. */
export interface RecordWrite {
  readonly institutionId: string;
  readonly id: string;
  readonly after: StoredRecord | undefined;
  readonly state: RecordState;
  readonly fields: Fields;
  readonly sequence: number | undefined;
  /** What is announced is a change; otherwise its place in the stream or the progress of a deletion is written. */
  readonly event?: CloudEvent;
}

/** The name of a record: what an institution calls its own. */
export interface RecordName {
  readonly institutionId: string;
  readonly id: string;
}

/** Records with one document each. */
export interface RecordStore {
  /** By id, of the institutions that are named; deleted ones, too, while their document exists. */
  load(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, StoredRecord>>;
  /** False when one of them lost the compare-and-set: some may be written, load again. */
  save(kind: DocumentKind, writes: readonly RecordWrite[]): Promise<boolean>;
  /** Ids of some present records of the institution, where a condition is given those with this value in a field or its list. */
  idsWith(kind: DocumentKind, institutionId: string, condition?: FieldCondition): Promise<string[]>;
  /** Deleted records whose removal was not finished. */
  leaving(kind: DocumentKind): Promise<StoredRecord[]>;
  /** Of the ids those that exist in the institutions that are named, with their institutions. */
  institutionsOf(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, string>>;
  /** Of the ids those that others than the institutions that are named have taken, with their institutions. It asks the whole database. */
  takenByOthers(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, string>>;
  /** The values of the absence types of each institution that exists. */
  absenceTypes(institutionIds: readonly string[]): Promise<Map<string, ReadonlySet<string>>>;
  /** The employees of an institution that are not archived and have an accounting number. */
  payrollStaff(institutionId: string): Promise<readonly PayrollEmployee[]>;
  /** Publishes an event of an institution about something that has no record. */
  announce(institutionId: string, event: CloudEvent): Promise<void>;
}

export interface FieldCondition {
  readonly field: string;
  readonly value: string;
}

/** Months of tracked time. */
export interface MonthStore {
  /** Without their workdays; by document id. */
  loadHeads(addresses: readonly MonthAddress[]): Promise<Map<string, StoredMonth>>;
  /** Whole months of the institutions that are named which hold one of these workdays. */
  holding(workdays: readonly RecordName[]): Promise<StoredMonth[]>;
  /** Whole months of the institutions that are named whose record has one of these ids. */
  recordedAs(workmonths: readonly RecordName[]): Promise<StoredMonth[]>;
  /** Of records of a kind the document ids of their months, by name (`nameOf`); two of what is being moved. */
  placesOf(kind: 'workday' | 'workmonth', records: readonly RecordName[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Some whole months of an employee. */
  ofEmployee(institutionId: string, employeeId: string): Promise<StoredMonth[]>;
  /** False when one of them lost the compare-and-set: some may be written, load again. */
  save(writes: readonly MonthWrite<CloudEvent>[]): Promise<boolean>;
}

/** What was deleted, so that an older live object that comes late has no effect. */
export interface Markers extends DeletionMarkers {
  removeExpired(): Promise<void>;
}

/** What an event is about. */
export interface AnnouncedRecord {
  readonly institutionId: string;
  readonly id: string;
  readonly fields: Fields;
}

export interface RecordEvents {
  /** @param before what it was like, if it existed */
  changed(kind: KindName, record: AnnouncedRecord, before?: Fields): CloudEvent;
  /** @param record as it was last */
  deleted(kind: KindName, record: AnnouncedRecord): CloudEvent;
  importFinished(institutionId: string, accepted: Readonly<Record<string, number>>, rejected: number): CloudEvent;
}

/** What every operation that writes needs. */
export interface WriteContext {
  readonly records: RecordStore;
  readonly months: MonthStore;
  readonly markers: Markers;
  readonly events: RecordEvents;
  readonly clock: Clock;
  /** Notifies the relay of events that were written into the outboxes of a kind; returns at once. */
  notifyOutbox(kind: KindName, written: readonly WrittenEvents[]): void;
  /** Makes the gateways ask again; also when there is no cache at the moment. */
  forgetAccount(accountId: string): Promise<void>;
}

/** Master data by who asks: what the caller may not see does not exist. */
export interface Directory {
  /** Without a caller: it is how a caller is found. Without the institution the whole database is asked. */
  account(accountId: string, institutionId: string | undefined): Promise<Account | undefined>;
  /** Without a caller, for operators: of one institution or of all, in no order. */
  accounts(institutionId: string | undefined): AsyncIterable<Omit<ListedAccount, 'institutionName'>>;
  /** The names of some institutions. */
  institutionNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  institution(caller: Caller): Promise<Institution | undefined>;
  /** By id. */
  departments(caller: Caller): AsyncIterable<Department>;
  /** By id. */
  projects(caller: Caller): AsyncIterable<Project>;
  /** In no order. */
  employees(caller: Caller): AsyncIterable<Employee>;
  /** Of these employees, or of all, in no order. */
  entitlements(caller: Caller, employeeIds?: readonly string[]): AsyncIterable<EntitledEmployee>;
}

export interface ProjectDayQuery extends ProjectDay {
  readonly signal: AbortSignal;
}

/** Tracked time and what it is calculated from. */
export interface TimeRecords {
  /**
   * The requested records of some employees, in order, as encoded messages of type `ReadTimeRecordsResponse`: encoded where the bytes are,
   * because going through objects takes four times as long. Employees that the caller may not see are left out.
   */
  read(caller: Caller, slice: EmployeeSlice, query: TimeRecordsQuery): Promise<Iterable<Uint8Array>>;
  /** Those months of the institution that have more than `LARGE_MONTH_BYTES`. */
  largeMonths(caller: Caller, signal: AbortSignal): Promise<LargeMonths>;
  /** Where overtime accounts begin, for employees whose account begins before the requested days. */
  findStarts(caller: Caller, employeeIds: readonly string[], query: TimeRecordsQuery): Promise<Starts>;
  /** Those who may have worked on the project on that day, by id: they did at about that time. */
  employeesAround(caller: Caller, projectDay: ProjectDay, signal: AbortSignal): Promise<string[]>;
  /** Of some employees the workdays of the day on the project, encoded as above; those without one are left out. */
  readProjectDay(caller: Caller, employeeIds: readonly string[], query: ProjectDayQuery): Promise<Iterable<Uint8Array>>;
}

/** Gives live objects their positions; all processes of the service share what was seen. */
export interface IngestClock extends StreamOrder {
  /** The position of a message, once it is stored that it was seen: a record never holds a higher one. */
  positionOf(place: Place): Promise<number>;
}
