import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import type { Absence, AbsenceType, Contract, DateRange, EpochDay, HolidayCalendar } from '@stechuhr/worktime';
import type { EntitledEmployee } from '../domain/entitlement.js';
import type { Place } from '../domain/list/place-counts.js';
import type { OrderedRule, Rule } from '../domain/rule.js';

/** Whose data is meant: nothing outside the institution exists. */
export interface Tenant {
  readonly institutionId: string;
}

/** Where a manual rule stands, and whom it belongs to. */
export interface OwnedPlace extends Place {
  readonly employeeId: string;
}

/** A rule as it is to be, and whose it was when that was judged. */
export interface RuleReplacement {
  readonly rule: Rule;
  readonly ofEmployee: string;
}

export interface WrittenRule extends Pick<Rule, 'id' | 'employeeId'> {
  readonly writtenAt: Date;
}

/** The manual rules. */
export interface RuleStore {
  /** The places of all rules available from the day on, in no order. */
  places(tenant: Tenant, from: EpochDay): AsyncIterable<OwnedPlace>;
  /** Rules that become available within these days, in no order, without what they say. */
  availableIn(tenant: Tenant, days: DateRange): AsyncIterable<OrderedRule>;
  find(tenant: Tenant, ids: readonly string[]): Promise<Rule[]>;
  ofEmployees(tenant: Tenant, employeeIds: readonly string[]): Promise<Rule[]>;
  /** How many there are, of the institution or of one employee, as far as it matters. */
  count(tenant: Tenant, limit: number, employeeId?: string): Promise<number>;
  insert(tenant: Tenant, rule: Rule, event: CloudEvent): Promise<void>;
  /** Undefined when the employee has no such rule any more; else whether other events waited in it. */
  replace(tenant: Tenant, replacement: RuleReplacement, event: CloudEvent): Promise<{ readonly eventsWaited: boolean } | undefined>;
  /** False when its employee has no such rule any more. */
  remove(tenant: Tenant, rule: Pick<Rule, 'id' | 'employeeId'>, event: CloudEvent): Promise<boolean>;
  /** False when it was written since it was read, or deleted. */
  removeUnchanged(tenant: Tenant, rule: WrittenRule, event: CloudEvent): Promise<boolean>;
  /** The rules of an employee, and when they were last written. */
  writtenFor(tenant: Tenant, employeeId: string): Promise<WrittenRule[]>;
}

/** What a caller's institution configured. */
export interface Institution {
  readonly absenceTypes: readonly AbsenceType[];
  readonly holidays: HolidayCalendar;
}

/** What absence days are counted from. */
export interface AbsenceRecords {
  readonly employeeId: string;
  readonly contracts: readonly Contract[];
  readonly absences: readonly Absence[];
}

/** The records as one caller may see them; every call ends when that caller disconnects. */
export interface CallerRecords {
  readInstitution(): Promise<Institution>;
  /** The employees, or those of them that are named, in no order. */
  readStaff(employeeIds?: readonly string[]): AsyncIterable<readonly EntitledEmployee[]>;
  /** Contracts and absences that touch the days, in the order of the employees; those whom the caller may not see are left out. */
  readAbsences(employeeIds: readonly string[], days: DateRange): AsyncIterable<readonly AbsenceRecords[]>;
}

export interface MaxRules {
  readonly ofInstitution: number;
  readonly ofEmployee: number;
}

export type RuleEventType = 'absence-rules.rule.created' | 'absence-rules.rule.updated' | 'absence-rules.rule.deleted';

/** What the operations need, independent of the caller. */
export interface Ports {
  readonly rules: RuleStore;
  /** Rules that there may be. */
  readonly maxRules: MaxRules;
  readonly clock: Clock;
  ruleEvent(type: RuleEventType, tenant: Tenant, rule: Pick<Rule, 'id' | 'employeeId'>): CloudEvent;
  /** Notifies the relay of an event in the outbox, or of what a write has put there; returns at once. */
  notifyOutbox(written?: WrittenEvents): void;
}

/** One call: who asks, and what answers it. */
export interface Call extends Ports {
  readonly caller: Tenant;
  readonly records: CallerRecords;
}
