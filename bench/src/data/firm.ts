import { addDays, formatLocalDate, lastDayOfMonth, monthOf, parseLocalDate, weekday, type EpochDay } from '@stechuhr/worktime';
import { firmEmployee, type FirmEmployee } from './firm-employee.js';
import { firmId } from './firm-id.js';
import { shiftRecord } from './firm-shift.js';
import { randomFrom } from './random.js';

/** A firm to measure with: the same plan is the same firm, whenever it is made. */
export interface FirmPlan {
  /** Tells firms of one platform apart, and seeds. */
  readonly number: number;
  readonly employees: number;
  /** Whole months of tracked time, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** Whether a review finds something. */
  readonly careless: boolean;
}

const DEPARTMENTS = 20;
const PROJECTS = 30;

/** The account that sees everything. */
export const administratorOf = ({ number }: FirmPlan): string => firmId(number, 'account', 1);
export const institutionOf = ({ number }: FirmPlan): string => firmId(number, 'institution', 0);

/** The import lines of the firm in groups of employees, references first. */
export function* firmRecords(plan: FirmPlan, employeesAGroup: number): Generator<Iterable<object>> {
  for (let first = 1; first <= plan.employees; first += employeesAGroup) {
    yield groupRecords(plan, first, Math.min(first + employeesAGroup - 1, plan.employees));
  }
}

function* groupRecords(plan: FirmPlan, first: number, last: number): Generator<object> {
  if (first === 1) yield* masterRecords(plan);
  for (let n = first; n <= last; n += 1) yield* employeeRecords(plan, n);
}

function* masterRecords({ number }: FirmPlan): Generator<object> {
  const institution_id = firmId(number, 'institution', 0);
  const absence_types = [
    { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
    { value: 'sick', label: 'Krankheit', category: 'sick', credited: true },
  ];
  const settings = { name: 'Messbau GmbH', federal_state: 'DE-BY', payroll_client_number: '12345', absence_types };
  yield { kind: 'institution', id: institution_id, institution_id, ...settings };
  const person = { first_name: 'Ada', last_name: 'Maß', email: 'ada@example.com' };
  const rights = { role: 'admin', department_ids: [], project_ids: null };
  yield { kind: 'account', id: firmId(number, 'account', 1), institution_id, ...person, ...rights };
  for (let n = 0; n < DEPARTMENTS; n += 1) {
    const department = { name: `Kolonne ${n + 1}${n % 5 === 0 ? ', Außendienst' : ''}`, cost_center: String(4000 + n) };
    yield { kind: 'department', id: firmId(number, 'department', n), institution_id, ...department };
  }
  for (let n = 0; n < PROJECTS; n += 1) {
    const about = { name: `Neubau "Haus ${n}"`, code: `P-${n}`, color: '#336699', address: `Straße ${n}, 80331 München` };
    const billing = { cost_center: '4711', client: 'Bauherr AG', daily_reports_enabled: false, archived: false };
    yield { kind: 'project', id: firmId(number, 'project', n), institution_id, ...about, ...billing };
  }
}

function* employeeRecords(plan: FirmPlan, n: number): Generator<object> {
  const [first, last] = [dayOf(plan.from), dayOf(plan.to)];
  const random = randomFrom(plan.number * 1_000_003 + n);
  const employee = firmEmployee(plan.number, n, {
    random,
    careless: plan.careless,
    departments: DEPARTMENTS,
    projects: PROJECTS,
  });
  yield* employee.records;
  const away = new Set<EpochDay>();
  yield* absenceRecords(employee, { first, last, away });
  for (let day = first; day <= last; day = addDays(lastDayOfMonth(monthOf(day)), 1)) {
    const { year, month } = monthOf(day);
    const id = firmId(plan.number, 'workmonth', n * 10_000 + year * 12 + month - 24_000);
    yield { kind: 'workmonth', id, ...employee.reference, year, month, opening_balance_minutes: 30 };
  }
  for (let day = first; day <= last; day += 1) {
    if (weekday(day) < 5 && !away.has(day)) yield shiftRecord(employee, day);
  }
}

/** Two weeks of vacation in each half year and a few days of illness between, beginning on Mondays. */
function* absenceRecords(
  { number, n, reference, random }: FirmEmployee,
  { first, last, away }: { first: EpochDay; last: EpochDay; away: Set<EpochDay> },
): Generator<object> {
  let count = 0;
  for (let half = first; half <= last; half += 182) {
    for (const [missing_type, days] of [
      ['vacation', 12],
      ['sick', Math.floor(random() * 4)],
    ] as const) {
      const start = half + Math.floor(random() * 160);
      const monday = start - weekday(start);
      const until = Math.min(monday + days - 1, last);
      if (days === 0 || monday < first || until < monday || away.has(monday) || away.has(until)) continue;
      for (let day = monday; day <= until; day += 1) away.add(day);
      count += 1;
      const dates = { starts_on: formatLocalDate(monday), ends_on: formatLocalDate(until), day_part: 1, hours_per_day: null };
      yield { kind: 'absence', id: firmId(number, 'absence', n * 1000 + count), ...reference, missing_type, ...dates };
    }
  }
}

function dayOf(date: string): EpochDay {
  const day = parseLocalDate(date);
  if (day === undefined) throw new Error(`${date} is no date`);
  return day;
}
