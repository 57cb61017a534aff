import type { StreamOrder, WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { DeletionMarkers } from '@stechuhr/ingest';
import type { Clock } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import type { Account, Department, Employee, Institution, ListedAccount, Project, VersionedEmployee } from '../domain/directory.js';
import type { OrderedEmployee } from '../domain/employee-order.js';
import type { PayrollEmployee } from '../domain/accounting-numbers.js';
import type { Fields, KindName } from '../domain/kind.js';
import type { MonthWrite } from '../domain/month-draft.js';
import type { MonthAddress, StoredMonth } from '../domain/month.js';
import type { ProjectDay } from '../domain/project-day.js';
import type { DocumentKind, RecordState, StoredRecord } from '../domain/stored-record.js';
import type { Place } from '../domain/stream-clock.js';
import type { EmployeeSlice, LargeMonths, Starts, TimeRecordsQuery } from '../domain/time-records.js';

/** A compare-and-set write of a record. */
export interface RecordWrite {
  readonly institutionId: string;
  readonly id: string;
  readonly after: StoredRecord | undefined;
  readonly state: RecordState;
  readonly fields: Fields;
  readonly sequence: number | undefined;
  /** The event to publish. Without an event, only the stream sequence or the progress of a deletion is written. */
  readonly event?: CloudEvent;
}

/** Identifies a record: ids are unique only within an institution. */
export interface RecordName {
  readonly institutionId: string;
  readonly id: string;
}

/** An absence with its type, which its institution may not have any more. */
export interface TypedAbsence {
  readonly id: string;
  readonly employeeId: string;
  readonly missingType: string;
}

/** Stores the kinds that have one document per record. */
export interface RecordStore {
  /** Returns records by name (`nameOf`). Includes deleted records as long as their document exists. */
  load(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, StoredRecord>>;
  /** @returns false if one of them was changed by another process; some may have been written, so load again */
  save(kind: DocumentKind, writes: readonly RecordWrite[]): Promise<boolean>;
  /**
   * Returns the ids of some present records of the institution. With a condition, only those with this value in the field, or in the list
   * in the field.
   */
  idsWith(kind: DocumentKind, institutionId: string, condition?: FieldCondition): Promise<string[]>;
  /** Returns deleted records whose removal was not finished. */
  leaving(kind: DocumentKind): Promise<StoredRecord[]>;
  /** Returns the names (`nameOf`) of those that exist. */
  existing(kind: DocumentKind, wanted: readonly RecordName[]): Promise<ReadonlySet<string>>;
  /** Returns the ids that institutions other than their own use, with those institutions. The query covers the whole database. */
  takenByOthers(kind: DocumentKind, wanted: readonly RecordName[]): Promise<Map<string, string>>;
  /** Returns the values of the absence types of each institution that exists. */
  absenceTypes(institutionIds: readonly string[]): Promise<Map<string, ReadonlySet<string>>>;
  /** Streams the absences of an institution that have another type than these. */
  absencesOfOtherTypes(institutionId: string, types: ReadonlySet<string>): AsyncIterable<TypedAbsence>;
  /** Returns the employees of an institution that are not archived and have an accounting number. */
  payrollStaff(institutionId: string): Promise<readonly PayrollEmployee[]>;
  /** Publishes an event of an institution that belongs to no record. */
  announce(institutionId: string, event: CloudEvent): Promise<void>;
}

export interface FieldCondition {
  readonly field: string;
  readonly value: string;
}

/** Stores the months of tracked time. */
export interface MonthStore {
  /** Returns months without their workdays, by document id. */
  loadHeads(addresses: readonly MonthAddress[]): Promise<Map<string, StoredMonth>>;
  /** Returns the months of the named institutions that contain one of these workdays, with all their workdays. */
  holding(workdays: readonly RecordName[]): Promise<StoredMonth[]>;
  /** Returns the months of the named institutions whose record has one of these ids, with all their workdays. */
  recordedAs(workmonths: readonly RecordName[]): Promise<StoredMonth[]>;
  /** Returns the document ids of the months of each record, by name (`nameOf`): two for a record that is being moved. */
  placesOf(kind: 'workday' | 'workmonth', records: readonly RecordName[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Returns the size in bytes of the workdays of all months that contain one of these records. */
  wholeBytesOf(kind: 'workday' | 'workmonth', records: readonly RecordName[]): Promise<number>;
  /** Returns some months of an employee, with all their workdays: one month, or several of at most `MAX_MONTH_BYTES` together. */
  ofEmployee(institutionId: string, employeeId: string): Promise<StoredMonth[]>;
  /** @returns false if one of them was changed by another process; some may have been written, so load again */
  save(writes: readonly MonthWrite<CloudEvent>[]): Promise<boolean>;
}

export interface PlannedDeletion extends RecordName {
  /** The stream sequence with which the record was last written. */
  readonly sequence: number;
}

/** The stream sequences at which a record was deleted, and at which its deletion was planned; 0 if it was not. */
export interface Marks {
  readonly deleted: number;
  readonly planned: number;
}

/** Remembers deleted records, so that an older live object that arrives late has no effect. */
export interface Markers extends DeletionMarkers {
  /** Stores that these records are about to be deleted. `sequences` returns only deletions that were made. */
  plan(kind: KindName, deletions: readonly PlannedDeletion[]): Promise<void>;
  /** Returns both for each record, in the order of the records. */
  read(kind: string, records: readonly RecordName[]): Promise<readonly Marks[]>;
  removeExpired(): Promise<void>;
}

/** The record that an event describes. */
export interface AnnouncedRecord {
  readonly institutionId: string;
  readonly id: string;
  readonly fields: Fields;
}

export interface RecordEvents {
  /** @param before the fields before the change, if the record existed */
  changed(kind: KindName, record: AnnouncedRecord, before?: Fields): CloudEvent;
  /** @param record its last content */
  deleted(kind: KindName, record: AnnouncedRecord): CloudEvent;
  importFinished(institutionId: string, accepted: Readonly<Record<string, number>>, rejected: number): CloudEvent;
}

/** The dependencies of all operations that write. */
export interface WriteContext {
  readonly records: RecordStore;
  readonly months: MonthStore;
  readonly markers: Markers;
  readonly events: RecordEvents;
  readonly clock: Clock;
  /** Notifies the relay that events were written into the outboxes of a kind. Does not wait. */
  notifyOutbox(kind: KindName, written: readonly WrittenEvents[]): void;
  /** Removes an account from the cache of the gateways. Also resolves when the cache is unavailable. */
  forgetAccount(accountId: string): Promise<void>;
}

/** Reads master data. Records that the caller may not see are treated as missing. */
export interface Directory {
  /**
   * Returns the accounts with an id. It takes no caller, because gateways use it to determine the caller. Without an institution, the whole
   * database is queried; in a cluster, several institutions may have an account with this id (docs/sharding.md).
   */
  accountsOfId(accountId: string, institutionId: string | undefined): Promise<readonly Account[]>;
  /** Streams the accounts of one institution or of all, unordered. It takes no caller, because operators use it. */
  accounts(institutionId: string | undefined): AsyncIterable<Omit<ListedAccount, 'institutionName'>>;
  /** Returns the names of institutions by id. */
  institutionNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  institution(caller: Caller): Promise<Institution | undefined>;
  /** Ordered by id. */
  departments(caller: Caller): AsyncIterable<Department>;
  /** Ordered by id. */
  projects(caller: Caller): AsyncIterable<Project>;
  /** Returns by what employees are sorted, unordered. */
  staff(caller: Caller): AsyncIterable<OrderedEmployee>;
  /** Returns some employees by id, unordered, with the custom fields of these names, or with all. */
  employees(caller: Caller, employeeIds: readonly string[], customFields: ReadonlySet<string> | undefined): Promise<readonly Employee[]>;
  /** Returns the entitlements of these employees, or of all, unordered. */
  entitlements(caller: Caller, employeeIds?: readonly string[]): AsyncIterable<VersionedEmployee>;
}

export interface ProjectDayQuery extends ProjectDay {
  readonly signal: AbortSignal;
}

/** Reads tracked time and the records from which it is calculated. */
export interface TimeRecords {
  /**
   * Returns the requested records of the employees, in their order, as encoded messages of type `ReadTimeRecordsResponse`. The store
   * encodes them, because converting to objects first takes four times as long. Employees that the caller may not see are left out. Undefined
   * if the records of several employees are too large to be read together.
   */
  read(caller: Caller, slice: EmployeeSlice, query: TimeRecordsQuery): Promise<Iterable<Uint8Array> | undefined>;
  /** Returns the months of the institution that have more than `LARGE_MONTH_BYTES`. */
  largeMonths(caller: Caller, signal: AbortSignal): Promise<LargeMonths>;
  /** Returns where overtime accounts begin, for employees whose account begins before the requested days. */
  findStarts(caller: Caller, employeeIds: readonly string[], query: TimeRecordsQuery): Promise<Starts>;
  /**
   * Returns the ids of employees who may have worked on the project on that day, sorted: they have time on it in that month or a
   * neighbouring one.
   */
  employeesAround(caller: Caller, projectDay: ProjectDay, signal: AbortSignal): Promise<string[]>;
  /**
   * Returns the workdays of the employees that belong to the day and the project, encoded as in `read`. Employees without such a workday
   * are left out.
   */
  readProjectDay(caller: Caller, employeeIds: readonly string[], query: ProjectDayQuery): Promise<Iterable<Uint8Array> | undefined>;
}

/** Assigns positions to live objects, in each stream of them. All processes of the service share the state. */
export interface IngestClock extends StreamOrder {
  /**
   * Returns the position of a message after it was stored as received, so that no record ever holds a higher position than the stored one.
   */
  positionOf(place: Place & { readonly stream: string }): Promise<number>;
}
