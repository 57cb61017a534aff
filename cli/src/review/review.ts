import type { Paint } from '../output.js';
import { printable } from '../printable.js';

/** A finding as the API returns it, with names and labels for people. */
export interface ReviewedFinding {
  readonly code: string;
  readonly group: string;
  readonly severity: string;
  readonly date: string | null;
  readonly references: readonly (readonly [type: string, id: string])[];
  readonly context: Readonly<Record<string, unknown>>;
  readonly details: string;
  readonly employee: Employee;
  /** Whether it is hidden by a suppression rule. */
  readonly suppressed: boolean;
}

/** Names are null if the account may not see the employee. */
export interface Employee {
  readonly id: string;
  readonly number: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** The output of `review` with `--json`. */
export interface ReviewResult {
  readonly year: number;
  readonly month: number;
  /** Errors that are not suppressed. */
  readonly errors: number;
  readonly suppressed: number;
  /** Grouped by employee in the order of employee lists, then in the order of the API. */
  readonly findings: readonly ReviewedFinding[];
}

/** A rule that hides findings; dates are YYYY-MM-DD. */
export interface Suppression {
  readonly code: string;
  readonly employeeId: string | null;
  readonly validFrom: string;
  readonly validTo: string | null;
}

/**
 * Returns a function that says whether any of the rules hides a finding: the rule must match its check, its employee (or all employees) and its day.
 * There may be 50,000 rules and hundreds of thousands of findings, so they are not compared one by one.
 */
export function hiddenBy(rules: readonly Suppression[]): (finding: Pick<ReviewedFinding, 'code' | 'date' | 'employee'>) => boolean {
  const keyOf = (code: string, employeeId: string | null) => `${code} ${employeeId ?? ''}`;
  const groups = Map.groupBy(rules, ({ code, employeeId }) => keyOf(code, employeeId));
  const days = new Map([...groups].map(([key, group]) => [key, daysOf(group)]));
  return ({ code, date, employee }) =>
    date !== null && [null, employee.id].some((employeeId) => isWithin(days.get(keyOf(code, employeeId)) ?? [], date));
}

/** A range of days, both included. */
interface Days {
  readonly from: string;
  to: string;
}

/** Returns the days on which any of the rules is valid, as ranges without overlaps in order. */
function daysOf(rules: readonly Suppression[]): readonly Days[] {
  const ranges: Days[] = [];
  for (const { validFrom: from, validTo } of rules.toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : 1))) {
    const to = validTo ?? '9999-12-31';
    const last = ranges.at(-1);
    if (last === undefined || last.to < from) ranges.push({ from, to });
    else if (last.to < to) last.to = to;
  }
  return ranges;
}

function isWithin(ranges: readonly Days[], date: string): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ranges[middle]?.from ?? '') <= date) low = middle + 1;
    else high = middle;
  }
  const last = ranges[low - 1];
  return last !== undefined && date <= last.to;
}

/** The findings as text: one line each, below the name of the employee. */
export function describeReview({ year, month, errors, suppressed, findings }: ReviewResult, paint: Paint): string {
  const title = `${String(year)}-${String(month).padStart(2, '0')}`;
  if (findings.length === 0) return `${title}: no findings.`;
  const byEmployee = Map.groupBy(findings, ({ employee }) => employee.id);
  const count = `${counted(findings.length, 'finding')} of ${counted(byEmployee.size, 'employee')}`;
  const summary = `${title}: ${count}, ${counted(errors, 'error')} left, ${String(suppressed)} suppressed.`;
  return [summary, ...Array.from(byEmployee.values(), (own) => describeEmployee(own, paint))].join('\n\n');
}

function describeEmployee(findings: readonly ReviewedFinding[], paint: Paint): string {
  const [first] = findings;
  const width = findings.reduce((widest, finding) => Math.max(widest, markOf(finding).length), 0);
  const lines = findings.map((finding) => {
    const about = finding.details === '' ? finding.code : printable(`${finding.code}: ${finding.details}`);
    return `  ${finding.date ?? '–'.padEnd(10)}  ${paint(colourOf(finding), markOf(finding).padEnd(width))}  ${about}`;
  });
  return [first === undefined ? '' : nameOf(first.employee), ...lines].join('\n');
}

function markOf({ severity, suppressed }: ReviewedFinding): string {
  return suppressed ? 'suppressed' : severity;
}

function colourOf({ severity, suppressed }: ReviewedFinding): Parameters<Paint>[0] {
  if (suppressed) return 'gray';
  return severity === 'error' ? 'red' : 'yellow';
}

function nameOf({ id, number, first_name, last_name }: Employee): string {
  return last_name === null ? `Employee ${id}` : printable(`${last_name}, ${first_name ?? ''} (${number ?? ''})`);
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
