import { localDayOf, type EpochDay } from '@stechuhr/worktime';
import { balancesOf, type TypeBalance } from '../domain/balance/balances-of.js';
import type { EntitledEmployee } from '../domain/entitlement.js';
import { expansionLimit } from '../domain/expansion-limit.js';
import { settingRules } from '../domain/list/generated-rules.js';
import type { Rule } from '../domain/rule.js';
import type { Call, CallerRecords, Institution } from './ports.js';

export interface BalanceQuery {
  /** In the order of the answer. */
  readonly employeeIds: readonly string[];
  readonly onDay: EpochDay;
  /** Absence types; empty means all that are configured. */
  readonly missingTypes: readonly string[];
}

export interface EmployeeBalances {
  readonly employeeId: string;
  readonly balances: readonly TypeBalance[];
}

const EMPLOYEES_A_SLICE = 100;

/** The balances of the employees whom the caller may see, a slice at a time, from the rules and absences of this moment. */
export async function* getBalances(call: Call, query: BalanceQuery): AsyncGenerator<EmployeeBalances[], void, undefined> {
  const ids = [...new Set(query.employeeIds)];
  if (ids.length === 0) return;
  const institution = await call.records.readInstitution();
  for (let at = 0; at < ids.length; at += EMPLOYEES_A_SLICE) {
    yield await balancesOfSlice(call, { ...query, institution, employeeIds: ids.slice(at, at + EMPLOYEES_A_SLICE) });
  }
}

interface SliceQuery extends BalanceQuery {
  readonly institution: Institution;
}

async function balancesOfSlice(
  { rules, clock, records, caller }: Call,
  { employeeIds, onDay, missingTypes, institution }: SliceQuery,
): Promise<EmployeeBalances[]> {
  const staff = await readStaff(records, employeeIds);
  if (staff.size === 0) return [];
  const manual = Map.groupBy(await rules.ofEmployees(caller, [...staff.keys()]), ({ employeeId }) => employeeId);
  const bounds = { first: -Infinity, last: expansionLimit(onDay, localDayOf(clock.now() / 1000)) };
  const types = missingTypes.length > 0 ? missingTypes : institution.absenceTypes.map(({ value }) => value);
  const found: EmployeeBalances[] = [];
  for await (const { employeeId, contracts, absences } of records.readAbsences([...staff.keys()], daysOf(staff.values(), onDay))) {
    const employee = staff.get(employeeId);
    if (employee === undefined) continue;
    const ofEmployee: Rule[] = [...settingRules(caller.institutionId, employee, bounds), ...(manual.get(employeeId) ?? [])];
    const terms = { employment: employee, contracts, holidays: institution.holidays };
    const balances = balancesOf({ onDay, types, rules: ofEmployee, absences, absenceTypes: institution.absenceTypes, terms });
    found.push({ employeeId, balances });
  }
  return found;
}

/** In the order asked for. */
async function readStaff(records: CallerRecords, employeeIds: readonly string[]): Promise<ReadonlyMap<string, EntitledEmployee>> {
  const found = new Map<string, EntitledEmployee>();
  for await (const staff of records.readStaff(employeeIds)) for (const employee of staff) found.set(employee.id, employee);
  return new Map(employeeIds.flatMap((id) => entryOf(id, found.get(id))));
}

function entryOf(id: string, employee: EntitledEmployee | undefined): [string, EntitledEmployee][] {
  return employee === undefined ? [] : [[id, employee]];
}

/** From the first day on which one of them was employed: absences before count nowhere. */
function daysOf(staff: Iterable<EntitledEmployee>, onDay: EpochDay): { readonly first: EpochDay; readonly last: EpochDay } {
  return { first: Math.min(onDay, ...Array.from(staff, ({ hiredOn }) => hiredOn)), last: onDay };
}
