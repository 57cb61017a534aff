import { EventLoopBreaks } from '@stechuhr/kernel';
import { epochDay, localDayOf, type EpochDay } from '@stechuhr/worktime';
import { balancesOf, type TypeBalance } from '../domain/balance/balance.js';
import type { EntitledEmployee } from '../domain/entitlement.js';
import { expansionLimit } from '../domain/grant.js';
import { settingRules } from '../domain/list/generated-rules.js';
import type { AbsenceRecords, Call, Institution } from './ports.js';

export interface BalanceQuery {
  /** The employees, in the order of the response. */
  readonly employeeIds: readonly string[];
  readonly onDay: EpochDay;
  /** The absence types; empty means all configured ones. */
  readonly missingTypes: readonly string[];
}

export interface EmployeeBalances {
  readonly employeeId: string;
  readonly balances: readonly TypeBalance[];
}

/** How the balances of a call are calculated. */
export interface BalanceTerms<T> {
  /** Runs a task when it is the institution's turn. */
  readonly inTurn: <R>(task: () => Promise<R>) => Promise<R>;
  /** Converts the balances of an employee at once, since without details the result is thousands of times smaller. */
  readonly convert: (employee: EmployeeBalances) => T;
}

/** An employee may have 500 entitlements and 500 manual rules, which are in memory for the employees of a slice. */
const EMPLOYEES_A_SLICE = 25;
/**
 * The number of rules after which the balances are sent. Entitlements over a working life generate up to 60,000 rules for one employee, and
 * the reader would take the stream for stalled.
 */
const RULES_A_PART = 10_000;
/** How far back absences are read, in days. Absences before the employment do not count. */
const LONGEST_EMPLOYMENT_DAYS = 36_525;

/** Yields the current balances of the employees whom the caller may see, part by part. */
export async function* getBalances<T>(
  call: Call,
  query: BalanceQuery,
  { inTurn, convert }: BalanceTerms<T>,
): AsyncGenerator<T[], void, undefined> {
  const ids = [...new Set(query.employeeIds)];
  const missingTypes = [...new Set(query.missingTypes)];
  if (ids.length === 0) return;
  const institution = await call.records.readInstitution();
  for (let at = 0; at < ids.length;) {
    const slice = { ...query, institution, missingTypes, employeeIds: ids.slice(at, at + EMPLOYEES_A_SLICE) };
    // Nothing but the results is kept while they wait for the reader.
    const { results, done } = await inTurn(() => balancesOfSlice(call, slice, convert));
    if (results.length > 0) yield results;
    at += done;
  }
}

interface Part<T> {
  readonly results: T[];
  /** The number of employees of the slice, from the first on, that are complete. */
  readonly done: number;
}

interface SliceQuery extends BalanceQuery {
  readonly institution: Institution;
}

async function balancesOfSlice<T>(
  { rules, clock, records, caller, signal }: Call,
  { employeeIds, onDay, missingTypes, institution }: SliceQuery,
  convert: BalanceTerms<T>['convert'],
): Promise<Part<T>> {
  const days = { first: Math.max(epochDay(1, 1, 1), onDay - LONGEST_EMPLOYMENT_DAYS), last: onDay };
  const [staff, manual, absences] = await Promise.all([
    collect(records.readStaff(employeeIds)),
    rules.ofEmployees(caller, employeeIds),
    collect(records.readAbsences(employeeIds, days)),
  ]);
  const staffById = new Map(staff.map((employee) => [employee.id, employee]));
  const manualOf = Map.groupBy(manual, ({ employeeId }) => employeeId);
  const bounds = { first: -Infinity, last: expansionLimit(onDay, localDayOf(clock.now() / 1000)) };
  const { absenceTypes, holidays } = institution;
  const types = missingTypes.length > 0 ? missingTypes : absenceTypes.map(({ value }) => value);
  const breaks = new EventLoopBreaks(signal);
  const results: T[] = [];
  // A function, so that during breaks no slice keeps the rules of an employee in memory.
  const calculate = (employee: EntitledEmployee, recorded: AbsenceRecords): number => {
    const ofEmployee = [...settingRules(caller.institutionId, employee, bounds), ...(manualOf.get(employee.id) ?? [])];
    const terms = { employment: employee, contracts: recorded.contracts, holidays };
    const balances = balancesOf({ onDay, types, rules: ofEmployee, absences: recorded.absences, absenceTypes, terms });
    results.push(convert({ employeeId: employee.id, balances }));
    return ofEmployee.length;
  };
  let rulesInPart = 0;
  for (const recorded of absences) {
    const { employeeId } = recorded;
    const employee = staffById.get(employeeId);
    if (employee === undefined) continue;
    rulesInPart += calculate(employee, recorded);
    if (rulesInPart >= RULES_A_PART) return { results, done: employeeIds.indexOf(employeeId) + 1 };
    if (breaks.isDue) await breaks.take();
  }
  return { results, done: employeeIds.length };
}

async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const collected: T[] = [];
  for await (const batch of batches) collected.push(...batch);
  return collected;
}
