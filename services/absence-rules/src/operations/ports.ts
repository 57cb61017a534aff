import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import type { Absence, AbsenceType, Contract, DateRange, EpochDay, HolidayCalendar } from '@stechuhr/worktime';
import type { EntitledEmployee } from '../domain/entitlement.js';
import type { Place } from '../domain/list/place-counts.js';
import type { OrderedRule, Rule } from '../domain/rule.js';

/** The institution whose data is accessed; data of others does not exist. */
export interface Tenant {
  readonly institutionId: string;
}

/** The position of a manual rule, and its employee. */
export interface OwnedPlace extends Place {
  readonly employeeId: string;
}

/** The new state of a rule, and the employee it belonged to when that was validated. */
export interface RuleReplacement {
  readonly rule: Rule;
  readonly ofEmployee: string;
}

export interface WrittenRule extends Pick<Rule, 'id' | 'employeeId'> {
  readonly writtenAt: Date;
}

/** The manual rules. */
export interface RuleStore {
  /** The positions of all rules available from the day on, unordered. */
  places(tenant: Tenant, from: EpochDay): AsyncIterable<OwnedPlace>;
  /** Rules that become available within these days, unordered, with their sort fields only. */
  availableIn(tenant: Tenant, days: DateRange): AsyncIterable<OrderedRule>;
  find(tenant: Tenant, ids: readonly string[]): Promise<Rule[]>;
  ofEmployees(tenant: Tenant, employeeIds: readonly string[]): Promise<Rule[]>;
  /** Counts the rules of the institution or of one employee, up to a limit. */
  count(tenant: Tenant, limit: number, employeeId?: string): Promise<number>;
  insert(tenant: Tenant, rule: Rule, event: CloudEvent): Promise<void>;
  /** Undefined if the employee no longer has the rule; otherwise whether it had other unpublished events. */
  replace(tenant: Tenant, replacement: RuleReplacement, event: CloudEvent): Promise<{ readonly eventsWaited: boolean } | undefined>;
  /** False if the employee no longer has the rule. */
  remove(tenant: Tenant, rule: Pick<Rule, 'id' | 'employeeId'>, event: CloudEvent): Promise<boolean>;
  /** False if it was changed since it was read, or deleted. */
  removeUnchanged(tenant: Tenant, rule: WrittenRule, event: CloudEvent): Promise<boolean>;
  /** The rules of an employee, and when they were last written. */
  writtenFor(tenant: Tenant, employeeId: string): Promise<WrittenRule[]>;
}

/** Settings of the caller's institution. */
export interface Institution {
  readonly absenceTypes: readonly AbsenceType[];
  readonly holidays: HolidayCalendar;
}

/** The records from which absence days are computed. */
export interface AbsenceRecords {
  readonly employeeId: string;
  readonly contracts: readonly Contract[];
  readonly absences: readonly Absence[];
}

/** The records as one caller may see them; every call ends when that caller disconnects. */
export interface CallerRecords {
  readInstitution(): Promise<Institution>;
  /** The employees, or the given ones among them, unordered. */
  readStaff(employeeIds?: readonly string[]): AsyncIterable<readonly EntitledEmployee[]>;
  /** Contracts and absences that overlap the days, in the order of the employees; those whom the caller may not see are left out. */
  readAbsences(employeeIds: readonly string[], days: DateRange): AsyncIterable<readonly AbsenceRecords[]>;
}

export interface MaxRules {
  readonly ofInstitution: number;
  readonly ofEmployee: number;
}

export type RuleEventType = 'absence-rules.rule.created' | 'absence-rules.rule.updated' | 'absence-rules.rule.deleted';

/** What the operations need, regardless of the caller. */
export interface Ports {
  readonly rules: RuleStore;
  /** Limits of manual rules. */
  readonly maxRules: MaxRules;
  readonly clock: Clock;
  ruleEvent(type: RuleEventType, tenant: Tenant, rule: Pick<Rule, 'id' | 'employeeId'>): CloudEvent;
  /** Notifies the relay of an event in the outbox; does not block. */
  notifyOutbox(written?: WrittenEvents): void;
}

/** One call: its caller, and the ports for it. */
export interface Call extends Ports {
  readonly caller: Tenant;
  readonly records: CallerRecords;
}
