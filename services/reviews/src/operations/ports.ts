import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent, Ordering } from '@stechuhr/contracts';
import type { ReferenceLookup } from '@stechuhr/ingest';
import type { Clock, CountedLimit, FairLimiter, Page, PageRequest } from '@stechuhr/kernel';
import type { AbsenceType, DateRange, EpochDay, HolidayCalendar } from '@stechuhr/worktime';
import type { StaffTerms, SubjectRecords } from '../domain/prepare-subject.js';
import type { ReviewSettings } from '../domain/settings.js';
import type { Suppression } from '../domain/suppression.js';

/** The institution whose data is accessed; data of others is treated as missing. */
export interface Tenant {
  readonly institutionId: string;
}

export type SuppressionOrder = 'valid_from' | 'code' | 'created_at';

/** The filter of a list of suppression rules; undefined means no restriction. */
export interface SuppressionFilter {
  readonly ids: readonly string[] | undefined;
  /** Excludes rules for all employees. */
  readonly employeeIds: readonly string[] | undefined;
  readonly validFromUntil: EpochDay | undefined;
  /** Permanent rules are always included. */
  readonly validToFrom: EpochDay | undefined;
  /** Only rules that were created or changed at or after this time, in seconds. */
  readonly modifiedSince: number | undefined;
}

export interface SuppressionPage extends PageRequest {
  readonly filter: SuppressionFilter;
  /** The order; ties are sorted by id. */
  readonly order: readonly Ordering<SuppressionOrder>[];
}

/**
 * The outcome of a compare-and-set write. `stale`: the rule has changed since it was read; `taken`: another rule has the same combination.
 */
export type Replaced = 'replaced' | 'stale' | 'taken';

/** Stores suppression rules. There is at most one for each code, employee (or all) and first day. */
export interface SuppressionStore {
  /** Inserts a rule. Returns false if its combination is taken. */
  insert(tenant: Tenant, suppression: Suppression, event: CloudEvent): Promise<boolean>;
  find(tenant: Tenant, id: string): Promise<Suppression | undefined>;
  findLike(tenant: Tenant, like: Pick<Suppression, 'code' | 'employeeId' | 'validFrom'>): Promise<Suppression | undefined>;
  list(tenant: Tenant, page: SuppressionPage): Promise<Page<Suppression>>;
  /** Counts the rules of the institution, up to the limit. */
  count(tenant: Tenant, limit: number): Promise<number>;
  replace(tenant: Tenant, rule: { readonly before: Suppression; readonly after: Suppression }, event: CloudEvent): Promise<Replaced>;
  /** Deletes a rule. Returns false if it does not exist any more. */
  remove(tenant: Tenant, id: string, event: CloudEvent): Promise<boolean>;
  /** Deletes a rule. Returns false if it has been changed or deleted since it was read. */
  removeUnchanged(tenant: Tenant, rule: Suppression, event: CloudEvent): Promise<boolean>;
  /** Returns the rules of an employee. */
  ofEmployee(tenant: Tenant, employeeId: string): Promise<Suppression[]>;
  /** Returns all rules of the institution. */
  ofInstitution(tenant: Tenant): Promise<Suppression[]>;
}

/** Stores the settings of organizations. */
export interface SettingsStore {
  find(tenant: Tenant): Promise<ReviewSettings | undefined>;
  /**
   * Writes settings; undefined restores the defaults. With a sequence, which is a position in the stream of live objects, the write has no
   * effect after one with the same or a higher sequence.
   */
  write(tenant: Tenant, settings: ReviewSettings | undefined, sequence?: number): Promise<void>;
  /** Returns the unique id of the last write; undefined if there was none, null if it was made by a version that stored no id. */
  lastWrite(tenant: Tenant): Promise<string | null | undefined>;
  /** Deletes the settings. Returns false if they have been written since. */
  removeUnchanged(tenant: Tenant, lastWrite: string | null): Promise<boolean>;
}

/** The dependencies for writing and deleting settings. */
export interface SettingsNeeds {
  readonly settings: SettingsStore;
  readonly references: ReferenceLookup;
}

/** The data that all employees of an institution share. */
export interface Organization {
  readonly absenceTypes: readonly AbsenceType[];
  readonly holidays: HolidayCalendar;
}

/** A query for the records of employees. */
export interface RecordsQuery {
  readonly organization: Organization;
  readonly staff: readonly StaffTerms[];
  readonly month: DateRange;
  /** Whether to read from the beginning of the overtime accounts. */
  readonly accounts: boolean;
}

/** Reads the records of a whole institution. Every call ends when the signal aborts with which the object was created. */
export interface OrganizationRecords {
  /** @throws AppError `not_found` */
  readOrganization(): Promise<Organization>;
  /** Returns all employees, sorted by id. */
  readStaff(): Promise<readonly StaffTerms[]>;
  hasEmployee(employeeId: string): Promise<boolean>;
  /** Streams the records in the order of the staff. Employees without a workday in the month are left out. */
  readRecords(query: RecordsQuery): AsyncIterable<readonly SubjectRecords[]>;
}

/** The result of a completed review. */
export interface ReviewRan {
  readonly year: number;
  readonly month: number;
  readonly employees: number;
  readonly findings: number;
}

export type SuppressionEventType = 'reviews.suppression.created' | 'reviews.suppression.updated' | 'reviews.suppression.deleted';

export interface ReviewEvents {
  suppression(type: SuppressionEventType, tenant: Tenant, rule: Pick<Suppression, 'id' | 'code' | 'employeeId'>): CloudEvent;
  /** Publishes the event. It neither waits nor fails. */
  reviewRan(tenant: Tenant, run: ReviewRan): void;
}

/** The dependencies of the operations. */
export interface Ports {
  readonly suppressions: SuppressionStore;
  /** The number of rules of an institution. */
  readonly limit: CountedLimit;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly events: ReviewEvents;
  /** Limits concurrent runs, fairly between institutions. Each run uses a processor and holds its findings in memory. */
  readonly inRunSlot: FairLimiter;
  /** Notifies the relay of an event in the outbox, or of the events of a write. Does not wait. */
  notifyOutbox(written?: WrittenEvents): void;
}

/** The caller and the dependencies of one call. */
export interface Call extends Ports {
  readonly caller: Tenant;
  readonly records: OrganizationRecords;
  readonly signal: AbortSignal;
}
