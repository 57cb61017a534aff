import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent, Ordering } from '@stechuhr/contracts';
import type { ReferenceLookup } from '@stechuhr/ingest';
import type { Clock, FairLimiter, Page, PageRequest } from '@stechuhr/kernel';
import type { AbsenceType, DateRange, EpochDay, HolidayCalendar } from '@stechuhr/worktime';
import type { StaffTerms, SubjectRecords } from '../domain/prepare-subject.js';
import type { ReviewSettings } from '../domain/settings.js';
import type { Suppression } from '../domain/suppression.js';

/** Whose data is meant: nothing outside the institution exists. */
export interface Tenant {
  readonly institutionId: string;
}

export type SuppressionOrder = 'valid_from' | 'code' | 'created_at';

/** Which suppression rules a list shows; undefined means no bound. */
export interface SuppressionFilter {
  readonly ids: readonly string[] | undefined;
  /** Rules for all drop out. */
  readonly employeeIds: readonly string[] | undefined;
  readonly validFromUntil: EpochDay | undefined;
  /** Permanent rules are always included. */
  readonly validToFrom: EpochDay | undefined;
  /** Only what was created or changed since then, in seconds. */
  readonly modifiedSince: number | undefined;
}

export interface SuppressionPage extends PageRequest {
  readonly filter: SuppressionFilter;
  /** The id breaks ties. */
  readonly order: readonly Ordering<SuppressionOrder>[];
}

/** A write to a rule as it was read: `stale` when the compare-and-set was lost, `taken` when another rule has its combination. */
export type Replaced = 'replaced' | 'stale' | 'taken';

/** The suppression rules. There is one at most for a code, an employee (or all) and a first day. */
export interface SuppressionStore {
  /** False when the combination is taken. */
  insert(tenant: Tenant, suppression: Suppression, event: CloudEvent): Promise<boolean>;
  find(tenant: Tenant, id: string): Promise<Suppression | undefined>;
  findLike(tenant: Tenant, like: Pick<Suppression, 'code' | 'employeeId' | 'validFrom'>): Promise<Suppression | undefined>;
  list(tenant: Tenant, page: SuppressionPage): Promise<Page<Suppression>>;
  /** How many rules the institution has, as far as it matters. */
  count(tenant: Tenant, limit: number): Promise<number>;
  replace(tenant: Tenant, rule: { readonly before: Suppression; readonly after: Suppression }, event: CloudEvent): Promise<Replaced>;
  /** False when there is no such rule any more. */
  remove(tenant: Tenant, id: string, event: CloudEvent): Promise<boolean>;
  /** False when it was written since it was read, or deleted. */
  removeUnchanged(tenant: Tenant, rule: Suppression, event: CloudEvent): Promise<boolean>;
  /** The rules of an employee. */
  ofEmployee(tenant: Tenant, employeeId: string): Promise<Suppression[]>;
  /** All rules of the institution. */
  ofInstitution(tenant: Tenant): Promise<Suppression[]>;
}

/** What organizations configured. */
export interface SettingsStore {
  find(tenant: Tenant): Promise<ReviewSettings | undefined>;
  /**
   * Undefined settings return to the defaults. With a sequence, which is a place in the stream of live objects, a write has no effect after
   * one with a higher sequence.
   */
  write(tenant: Tenant, settings: ReviewSettings | undefined, sequence?: number): Promise<void>;
  /** What distinguishes the last write from every other one; undefined where there was none. Null is of a version that knew none. */
  lastWrite(tenant: Tenant): Promise<string | null | undefined>;
  /** Forgets that there were any. False when they were written since. */
  removeUnchanged(tenant: Tenant, lastWrite: string | null): Promise<boolean>;
}

/** What writing and removing settings takes. */
export interface SettingsNeeds {
  readonly settings: SettingsStore;
  readonly references: ReferenceLookup;
}

/** What all employees of an institution share. */
export interface Organization {
  readonly absenceTypes: readonly AbsenceType[];
  readonly holidays: HolidayCalendar;
}

/** What to read of the employees. */
export interface RecordsQuery {
  readonly organization: Organization;
  readonly staff: readonly StaffTerms[];
  readonly month: DateRange;
  /** Whether to read as far back as working-time accounts need. */
  readonly accounts: boolean;
}

/** The records of one whole institution; every call ends with the signal that it was opened with. */
export interface OrganizationRecords {
  /** @throws AppError `not_found` */
  readOrganization(): Promise<Organization>;
  /** All employees, by id. */
  readStaff(): Promise<readonly StaffTerms[]>;
  hasEmployee(employeeId: string): Promise<boolean>;
  /** In the order of the staff, as they come; those without a workday in the month are left out. */
  readRecords(query: RecordsQuery): AsyncIterable<readonly SubjectRecords[]>;
}

/** A review that was answered completely. */
export interface ReviewRan {
  readonly year: number;
  readonly month: number;
  readonly employees: number;
  readonly findings: number;
}

export type SuppressionEventType = 'reviews.suppression.created' | 'reviews.suppression.updated' | 'reviews.suppression.deleted';

export interface ReviewEvents {
  suppression(type: SuppressionEventType, tenant: Tenant, rule: Pick<Suppression, 'id' | 'code' | 'employeeId'>): CloudEvent;
  /** Publishes it; never waits and never fails. */
  reviewRan(tenant: Tenant, run: ReviewRan): void;
}

/** What the operations need, independent of the caller. */
export interface Ports {
  readonly suppressions: SuppressionStore;
  /** Rules that an institution may have. */
  readonly maxSuppressions: number;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly events: ReviewEvents;
  /** Limits simultaneous runs, in turns by institution: each keeps a processor busy and its findings in memory. */
  readonly inRunSlot: FairLimiter;
  /** Notifies the relay of an event in the outbox, or of what a write has put there; returns at once. */
  notifyOutbox(written?: WrittenEvents): void;
}

/** One call: who asks, and what answers it. */
export interface Call extends Ports {
  readonly caller: Tenant;
  readonly records: OrganizationRecords;
  readonly signal: AbortSignal;
}
