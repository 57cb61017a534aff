import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent, Ordering } from '@stechuhr/contracts';
import type { ReferenceLookup } from '@stechuhr/ingest';
import type { Clock, FairLimiter, Page, PageRequest } from '@stechuhr/kernel';
import type { AbsenceType, DateRange, EpochDay, HolidayCalendar } from '@stechuhr/worktime';
import type { StaffTerms, SubjectRecords } from '../domain/prepare-subject.js';
import type { ReviewSettings } from '../domain/settings.js';
import type { Suppression } from '../domain/suppression.js';

/** The institution whose data is accessed; data of others does not exist. */
export interface Tenant {
  readonly institutionId: string;
}

export type SuppressionOrder = 'valid_from' | 'code' | 'created_at';

/** Selects suppression rules for a list; undefined means unbounded. */
export interface SuppressionFilter {
  readonly ids: readonly string[] | undefined;
  /** Excludes rules for all employees. */
  readonly employeeIds: readonly string[] | undefined;
  readonly validFromUntil: EpochDay | undefined;
  /** Permanent rules are always included. */
  readonly validToFrom: EpochDay | undefined;
  /** Only rules created or changed at that time or later, in seconds. */
  readonly modifiedSince: number | undefined;
}

export interface SuppressionPage extends PageRequest {
  readonly filter: SuppressionFilter;
  /** Followed by the id. */
  readonly order: readonly Ordering<SuppressionOrder>[];
}

/** The result of changing a rule: `stale` if another process changed it, `taken` if another rule has the same combination. */
export type Replaced = 'replaced' | 'stale' | 'taken';

/** The suppression rules. A combination of code, employee (or all) and first day is unique. */
export interface SuppressionStore {
  /** False if the combination is taken. */
  insert(tenant: Tenant, suppression: Suppression, event: CloudEvent): Promise<boolean>;
  find(tenant: Tenant, id: string): Promise<Suppression | undefined>;
  findLike(tenant: Tenant, like: Pick<Suppression, 'code' | 'employeeId' | 'validFrom'>): Promise<Suppression | undefined>;
  list(tenant: Tenant, page: SuppressionPage): Promise<Page<Suppression>>;
  /** Counts the rules of the institution, up to a limit. */
  count(tenant: Tenant, limit: number): Promise<number>;
  replace(tenant: Tenant, rule: { readonly before: Suppression; readonly after: Suppression }, event: CloudEvent): Promise<Replaced>;
  /** False if the rule no longer exists. */
  remove(tenant: Tenant, id: string, event: CloudEvent): Promise<boolean>;
  /** False if it was changed since it was read, or deleted. */
  removeUnchanged(tenant: Tenant, rule: Suppression, event: CloudEvent): Promise<boolean>;
  /** The rules of an employee. */
  ofEmployee(tenant: Tenant, employeeId: string): Promise<Suppression[]>;
  /** All rules of the institution. */
  ofInstitution(tenant: Tenant): Promise<Suppression[]>;
}

/** The settings of organizations. */
export interface SettingsStore {
  find(tenant: Tenant): Promise<ReviewSettings | undefined>;
  /** Undefined settings restore the defaults. A write with a stream position has no effect after one with a higher position. */
  write(tenant: Tenant, settings: ReviewSettings | undefined, sequence?: number): Promise<void>;
  /** Identifies the last write; undefined if there was none, null if it was made by a version that did not store it. */
  lastWrite(tenant: Tenant): Promise<string | null | undefined>;
  /** Removes the settings. False if they were written since. */
  removeUnchanged(tenant: Tenant, lastWrite: string | null): Promise<boolean>;
}

/** What writing and removing settings requires. */
export interface SettingsNeeds {
  readonly settings: SettingsStore;
  readonly references: ReferenceLookup;
}

/** Data that all employees of an institution share. */
export interface Organization {
  readonly absenceTypes: readonly AbsenceType[];
  readonly holidays: HolidayCalendar;
}

/** Selects records of employees. */
export interface RecordsQuery {
  readonly organization: Organization;
  readonly staff: readonly StaffTerms[];
  readonly month: DateRange;
  /** Whether to read as far back as overtime accounts need. */
  readonly accounts: boolean;
}

/** The records of a whole institution; every call ends with the signal that it was opened with. */
export interface OrganizationRecords {
  /** @throws AppError `not_found` */
  readOrganization(): Promise<Organization>;
  /** All employees, ordered by id. */
  readStaff(): Promise<readonly StaffTerms[]>;
  hasEmployee(employeeId: string): Promise<boolean>;
  /** In the order of the staff, as they arrive; employees without a workday in the month are left out. */
  readRecords(query: RecordsQuery): AsyncIterable<readonly SubjectRecords[]>;
}

/** A review whose response was sent completely. */
export interface ReviewRan {
  readonly year: number;
  readonly month: number;
  readonly employees: number;
  readonly findings: number;
}

export type SuppressionEventType = 'reviews.suppression.created' | 'reviews.suppression.updated' | 'reviews.suppression.deleted';

export interface ReviewEvents {
  suppression(type: SuppressionEventType, tenant: Tenant, rule: Pick<Suppression, 'id' | 'code' | 'employeeId'>): CloudEvent;
  /** Publishes the event of a run; does not block, and never fails. */
  reviewRan(tenant: Tenant, run: ReviewRan): void;
}

/** What the operations need, regardless of the caller. */
export interface Ports {
  readonly suppressions: SuppressionStore;
  /** Limit of rules per institution. */
  readonly maxSuppressions: number;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly events: ReviewEvents;
  /** Limits concurrent runs, fairly between institutions: each occupies a processor and keeps its findings in memory. */
  readonly inRunSlot: FairLimiter;
  /** Notifies the relay of an event in the outbox; does not block. */
  notifyOutbox(written?: WrittenEvents): void;
}

/** One call: its caller, and the ports for it. */
export interface Call extends Ports {
  readonly caller: Tenant;
  readonly records: OrganizationRecords;
  readonly signal: AbortSignal;
}
