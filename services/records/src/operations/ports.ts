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
  /** Undefined for writes that are not announced: of the stream position, or of the progress of a deletion. */
  readonly event?: CloudEvent;
}

/** Identifies a record: its institution and its id there. */
export interface RecordName {
  readonly institutionId: string;
  readonly id: string;
}

/** Records with one document each. */
export interface RecordStore {
  /** Loads records of the named institutions by id, including deleted ones while their document exists. */
  load(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, StoredRecord>>;
  /** @returns false if one of them was changed by another process; some may have been written, so load again */
  save(kind: DocumentKind, writes: readonly RecordWrite[]): Promise<boolean>;
  /** Ids of some present records of the institution; with a condition, only those that have the value in a field or its list. */
  idsWith(kind: DocumentKind, institutionId: string, condition?: FieldCondition): Promise<string[]>;
  /** Deleted records whose removal is unfinished. */
  leaving(kind: DocumentKind): Promise<StoredRecord[]>;
  /** Those of the records that exist in their institution. */
  institutionsOf(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, string>>;
  /** Those of the ids that other institutions own, with their institutions. Queries all shards. */
  takenByOthers(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, string>>;
  /** The values of the absence types of each existing institution. */
  absenceTypes(institutionIds: readonly string[]): Promise<Map<string, ReadonlySet<string>>>;
  /** Employees of an institution that are not archived and have an accounting number. */
  payrollStaff(institutionId: string): Promise<readonly PayrollEmployee[]>;
  /** Publishes an event of an institution that is not about a record. */
  announce(institutionId: string, event: CloudEvent): Promise<void>;
}

export interface FieldCondition {
  readonly field: string;
  readonly value: string;
}

/** Months of tracked time. */
export interface MonthStore {
  /** Loads months without their workdays, by document id. */
  loadHeads(addresses: readonly MonthAddress[]): Promise<Map<string, StoredMonth>>;
  /** Loads whole months that contain one of these workdays. */
  holding(workdays: readonly RecordName[]): Promise<StoredMonth[]>;
  /** Loads whole months whose record has one of these ids. */
  recordedAs(workmonths: readonly RecordName[]): Promise<StoredMonth[]>;
  /** Document ids of the months that contain these records, by `nameOf`; two for a record that is moving. */
  placesOf(kind: 'workday' | 'workmonth', records: readonly RecordName[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Some whole months of an employee. */
  ofEmployee(institutionId: string, employeeId: string): Promise<StoredMonth[]>;
  /** @returns false if one of them was changed by another process; some may have been written, so load again */
  save(writes: readonly MonthWrite<CloudEvent>[]): Promise<boolean>;
}

/** Remembers deletions, so that an older live object that arrives late has no effect. */
export interface Markers extends DeletionMarkers {
  removeExpired(): Promise<void>;
}

/** The record that an event is about. */
export interface AnnouncedRecord {
  readonly institutionId: string;
  readonly id: string;
  readonly fields: Fields;
}

export interface RecordEvents {
  /** @param before its former state, if it existed */
  changed(kind: KindName, record: AnnouncedRecord, before?: Fields): CloudEvent;
  /** @param record its last state */
  deleted(kind: KindName, record: AnnouncedRecord): CloudEvent;
  importFinished(institutionId: string, accepted: Readonly<Record<string, number>>, rejected: number): CloudEvent;
}

/** What every operation needs that writes. */
export interface WriteContext {
  readonly records: RecordStore;
  readonly months: MonthStore;
  readonly markers: Markers;
  readonly events: RecordEvents;
  readonly clock: Clock;
  /** Notifies the relay of events that were written to the outboxes of a kind; does not block. */
  notifyOutbox(kind: KindName, written: readonly WrittenEvents[]): void;
  /** Removes an account from the gateways' cache; also works while the cache is unavailable. */
  forgetAccount(accountId: string): Promise<void>;
}

/** Master data as the caller may see it; what it may not see does not exist. */
export interface Directory {
  /**
   * Without a caller: it is how a caller is found. Without the institution the whole database is asked, and in a cluster several institutions
   * may have an account of the id (docs/sharding.md).
   */
  accountsOfId(accountId: string, institutionId: string | undefined): Promise<readonly Account[]>;
  /** Without a caller, for operators: of one institution or of all, in no order. */
  accounts(institutionId: string | undefined): AsyncIterable<Omit<ListedAccount, 'institutionName'>>;
  /** The names of some institutions. */
  institutionNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  institution(caller: Caller): Promise<Institution | undefined>;
  /** Ordered by id. */
  departments(caller: Caller): AsyncIterable<Department>;
  /** Ordered by id. */
  projects(caller: Caller): AsyncIterable<Project>;
  /** Unordered. */
  employees(caller: Caller): AsyncIterable<Employee>;
  /** Of these employees, or of all; unordered. */
  entitlements(caller: Caller, employeeIds?: readonly string[]): AsyncIterable<EntitledEmployee>;
}

export interface ProjectDayQuery extends ProjectDay {
  readonly signal: AbortSignal;
}

/** Tracked time and what is needed to calculate with it. */
export interface TimeRecords {
  /**
   * The requested records of some employees, in order, as encoded `ReadTimeRecordsResponse` messages: they are encoded directly from the stored
   * bytes, because creating objects takes four times as long. Employees that the caller may not see are left out.
   */
  read(caller: Caller, slice: EmployeeSlice, query: TimeRecordsQuery): Promise<Iterable<Uint8Array>>;
  /** The months of the institution that are larger than `LARGE_MONTH_BYTES`. */
  largeMonths(caller: Caller, signal: AbortSignal): Promise<LargeMonths>;
  /** The start of the overtime accounts of employees whose account starts before the requested days. */
  findStarts(caller: Caller, employeeIds: readonly string[], query: TimeRecordsQuery): Promise<Starts>;
  /** Employees who may have worked on the project on that day, by id: those with time on it in the surrounding months. */
  employeesAround(caller: Caller, projectDay: ProjectDay, signal: AbortSignal): Promise<string[]>;
  /** The workdays of the day on the project of some employees, encoded as above; employees without one are left out. */
  readProjectDay(caller: Caller, employeeIds: readonly string[], query: ProjectDayQuery): Promise<Iterable<Uint8Array>>;
}

/** Assigns positions to live objects; all processes of the service share what was seen. */
export interface IngestClock extends StreamOrder {
  /** Resolves with the position of a message once it is stored as seen, so that no record ever has a higher position than the clock. */
  positionOf(place: Place): Promise<number>;
}
