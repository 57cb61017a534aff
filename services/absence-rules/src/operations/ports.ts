import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock, CountedLimit, FairShares } from '@stechuhr/kernel';
import type { Absence, AbsenceType, Contract, DateRange, EpochDay, HolidayCalendar } from '@stechuhr/worktime';
import type { EntitledEmployee } from '../domain/entitlement.js';
import type { OwnedPlace } from '../domain/list/owner-counts.js';
import type { OrderedRule, Rule } from '../domain/rule.js';

/** The institution whose data is accessed; data of others is treated as missing. */
export interface Tenant {
  readonly institutionId: string;
}

/** The new state of a rule, and the employee to whom it belonged when it was validated. */
export interface RuleReplacement {
  readonly rule: Rule;
  readonly ofEmployee: string;
  /** If set, a rule that no longer has these values is not replaced. */
  readonly unchangedSince?: Rule;
}

export interface WrittenRule extends Pick<Rule, 'id' | 'employeeId'> {
  readonly writtenAt: Date;
}

/** Stores manual rules. */
export interface RuleStore {
  /** Streams the positions of all rules that become available on or after the day, unordered. */
  places(tenant: Tenant, from: EpochDay): AsyncIterable<OwnedPlace>;
  /** Streams the sort fields of rules that become available within these days, unordered. */
  availableIn(tenant: Tenant, days: DateRange): AsyncIterable<OrderedRule>;
  find(tenant: Tenant, ids: readonly string[]): Promise<Rule[]>;
  ofEmployees(tenant: Tenant, employeeIds: readonly string[]): Promise<Rule[]>;
  /** Counts the rules of the institution or of one employee, up to the limit. */
  count(tenant: Tenant, limit: number, employeeId?: string): Promise<number>;
  insert(tenant: Tenant, rule: Rule, event: CloudEvent): Promise<void>;
  /** Replaces a rule. Returns undefined if the employee has no such rule any more, otherwise whether the outbox contained other events. */
  replace(tenant: Tenant, replacement: RuleReplacement, event: CloudEvent): Promise<{ readonly eventsWaited: boolean } | undefined>;
  /** Deletes a rule. Returns false if its employee has no such rule any more. */
  remove(tenant: Tenant, rule: Pick<Rule, 'id' | 'employeeId'>, event: CloudEvent): Promise<boolean>;
  /** Deletes a rule that was just inserted. Returns false if it has been changed or deleted since. */
  takeBack(tenant: Tenant, inserted: Rule, event: CloudEvent): Promise<boolean>;
  /** Deletes a rule. Returns false if it has been changed or deleted since it was read. */
  removeUnchanged(tenant: Tenant, rule: WrittenRule, event: CloudEvent): Promise<boolean>;
  /** Returns the rules of an employee with the times of their last writes. */
  writtenFor(tenant: Tenant, employeeId: string): Promise<WrittenRule[]>;
}

/** The configuration of the caller's institution. */
export interface Institution {
  readonly absenceTypes: readonly AbsenceType[];
  readonly holidays: HolidayCalendar;
}

/** The records from which absence days are counted. */
export interface AbsenceRecords {
  readonly employeeId: string;
  readonly contracts: readonly Contract[];
  readonly absences: readonly Absence[];
}

/** Reads the records that one caller may see. Every call ends when the caller disconnects. */
export interface CallerRecords {
  readInstitution(): Promise<Institution>;
  /** Streams all employees or the given ones, unordered. */
  readStaff(employeeIds?: readonly string[]): AsyncIterable<readonly EntitledEmployee[]>;
  /**
   * Streams contracts and absences that overlap the days, in the order of the employees. Employees whom the caller may not see are left
   * out.
   */
  readAbsences(employeeIds: readonly string[], days: DateRange): AsyncIterable<readonly AbsenceRecords[]>;
}

export type RuleEventType = 'absence-rules.rule.created' | 'absence-rules.rule.updated' | 'absence-rules.rule.deleted';

/** The dependencies of the operations. */
export interface Ports {
  readonly rules: RuleStore;
  /** The number of rules of an institution. */
  readonly limit: CountedLimit;
  /** The maximum number of rules of an employee. */
  readonly maxOfEmployee: number;
  /** More entitlements than these are not kept in memory while a page is created; they are read again. */
  readonly keptEntitlements: number;
  /** The memory of the pages that are being created, in bytes, shared by institutions. */
  readonly listMemory: FairShares;
  readonly clock: Clock;
  ruleEvent(type: RuleEventType, tenant: Tenant, rule: Pick<Rule, 'id' | 'employeeId'>): CloudEvent;
  /** Notifies the relay of an event in the outbox, or of the events of a write. Does not wait. */
  notifyOutbox(written?: WrittenEvents): void;
}

/** The caller and the dependencies of one call. */
export interface Call extends Ports {
  readonly caller: Tenant;
  readonly records: CallerRecords;
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal;
}
