import type { DateRange } from '@stechuhr/worktime';
import type { Check, Found } from './check.js';

/** A problem of one employee. Findings have no ids (spec, Finding). */
export interface Finding {
  readonly check: Check;
  readonly employeeId: string;
  readonly workmonthId: string;
  readonly found: Found;
}

const severities = ['error', 'warning'] as const;

/**
 * The findings of a month in their total order: date, severity, code, employee, first further record (docs/rules/reviews.md#order). Each
 * finding is added to the list of its day and check, so that they need not be sorted at the end.
 */
export class FindingList {
  private readonly days: ReadonlyMap<Check, Finding[]>[];
  private length = 0;

  constructor(
    checks: readonly Check[],
    private readonly month: DateRange,
  ) {
    const inOrder = checks.toSorted(compareChecks);
    this.days = Array.from({ length: month.last - month.first + 1 }, () => new Map(inOrder.map((check) => [check, []])));
  }

  get size(): number {
    return this.length;
  }

  /** Adds the findings of one check for one employee. Employees must be added in the order of their ids. */
  add(finding: Omit<Finding, 'found'>, found: readonly Found[]): void {
    const inOrder = found.length > 1 ? found.toSorted(compareRecords) : found;
    for (const one of inOrder) {
      const place = this.days[one.date - this.month.first]?.get(finding.check);
      if (place === undefined) throw new Error(`${finding.check.code} found something outside of the month.`);
      place.push({ ...finding, found: one });
      this.length += 1;
    }
  }

  *[Symbol.iterator](): Generator<Finding, void, undefined> {
    for (const day of this.days) for (const findings of day.values()) yield* findings;
  }
}

function compareChecks(a: Check, b: Check): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity) || (a.code < b.code ? -1 : 1);
}

/** Compares all records, because findings about pairs may have the same first record. */
function compareRecords(a: Found, b: Found): number {
  const [of, than] = [a, b].map(({ references }) => references.map(([, id]) => id).join());
  return of === than ? 0 : (of ?? '') < (than ?? '') ? -1 : 1;
}
