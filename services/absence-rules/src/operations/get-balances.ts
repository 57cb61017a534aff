import { EventLoopBreaks } from '@stechuhr/kernel';
import { localDayOf, type EpochDay } from '@stechuhr/worktime';
import { balancesOf, type TypeBalance } from '../domain/balance/balance.js';
import { expansionLimit } from '../domain/grant.js';
import { settingRules } from '../domain/list/generated-rules.js';
import type { Call, Institution } from './ports.js';

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

const EMPLOYEES_A_SLICE = 100;
/**
 * The number of rules after which the balances are sent. Entitlements over a working life generate up to 60,000 rules for one employee; those
 * of a whole slice would exhaust memory, and the reader would take the stream for stalled.
 */
const RULES_A_PART = 10_000;
/** How far back absences are read, in days. Absences before the employment do not count. */
const LONGEST_EMPLOYMENT_DAYS = 36_525;

/** Yields the current balances of the employees whom the caller may see, part by part. */
export async function* getBalances(call: Call, query: BalanceQuery): AsyncGenerator<EmployeeBalances[], void, undefined> {
  const ids = [...new Set(query.employeeIds)];
  if (ids.length === 0) return;
  const institution = await call.records.readInstitution();
  for (let at = 0; at < ids.length; at += EMPLOYEES_A_SLICE) {
    yield* balancesOfSlice(call, { ...query, institution, employeeIds: ids.slice(at, at + EMPLOYEES_A_SLICE) });
  }
}

interface SliceQuery extends BalanceQuery {
  readonly institution: Institution;
}

async function* balancesOfSlice(
  { rules, clock, records, caller, signal }: Call,
  { employeeIds, onDay, missingTypes, institution }: SliceQuery,
): AsyncGenerator<EmployeeBalances[], void, undefined> {
  const days = { first: onDay - LONGEST_EMPLOYMENT_DAYS, last: onDay };
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
  let part: EmployeeBalances[] = [];
  let rulesInPart = 0;
  for (const { employeeId, ...recorded } of absences) {
    const employee = staffById.get(employeeId);
    if (employee === undefined) continue;
    const ofEmployee = [...settingRules(caller.institutionId, employee, bounds), ...(manualOf.get(employeeId) ?? [])];
    const terms = { employment: employee, contracts: recorded.contracts, holidays };
    const balances = balancesOf({ onDay, types, rules: ofEmployee, absences: recorded.absences, absenceTypes, terms });
    part.push({ employeeId, balances });
    rulesInPart += ofEmployee.length;
    if (rulesInPart >= RULES_A_PART) {
      yield part;
      part = [];
      rulesInPart = 0;
    }
    if (breaks.isDue) await breaks.take();
  }
  if (part.length > 0) yield part;
}

async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const collected: T[] = [];
  for await (const batch of batches) collected.push(...batch);
  return collected;
}
