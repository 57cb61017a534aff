import { AppError } from '@stechuhr/kernel';
import type { DateRange } from '@stechuhr/worktime';
import type { Check, Found } from './check.js';

/** What a check found for an employee. */
export interface EmployeeFinding {
  readonly employeeId: string;
  readonly workmonthId: string;
  readonly found: Found;
}

/** A problem of one employee. Findings have no ids (spec, Finding). */
export interface Finding extends EmployeeFinding {
  readonly check: Check;
}

/** Compresses findings. @returns a function that returns them again */
export type PackFindings = (findings: readonly EmployeeFinding[]) => () => readonly EmployeeFinding[];

/**
 * The maximum number of records to which the findings of a review may refer, counting the employee and the workmonth of each finding: that
 * of 20,000 employees who have not recorded anything in a month.
 */
export const MAX_REFERENCES = 1_000_000;

/** The number of references after which findings are packed: few institutions have more in a month. */
const MAX_LOOSE_REFERENCES = 50_000;

const severities = ['error', 'warning'] as const;

/** The findings of one check on one day, in their order: first the packed ones. */
interface Bucket {
  readonly check: Check;
  readonly packed: (() => readonly EmployeeFinding[])[];
  loose: EmployeeFinding[];
}

/**
 * The findings of a month in their total order: date, severity, code, employee, first further record (docs/rules/reviews.md#order). Each
 * finding is added to the bucket of its day and check, so that they need not be sorted at the end. Thousands of findings are packed, because
 * a process has not enough memory for hundreds of thousands of them.
 */
export class FindingList {
  private readonly days: readonly ReadonlyMap<Check, Bucket>[];
  private length = 0;
  private referenceCount = 0;
  private looseReferences = 0;

  constructor(
    checks: readonly Check[],
    private readonly month: DateRange,
    private readonly pack: PackFindings,
  ) {
    const inOrder = checks.toSorted(compareChecks);
    this.days = Array.from(
      { length: month.last - month.first + 1 },
      () => new Map(inOrder.map((check): [Check, Bucket] => [check, { check, packed: [], loose: [] }])),
    );
  }

  get size(): number {
    return this.length;
  }

  /** The number of records to which the findings refer, counting the employee and the workmonth of each finding. */
  get references(): number {
    return this.referenceCount;
  }

  /**
   * Adds the findings of one check for one employee. Employees must be added in the order of their ids.
   *
   * @throws AppError `invalid` if the findings refer to more than `MAX_REFERENCES` records
   */
  add({ check, ...employee }: Omit<Finding, 'found'>, found: readonly Found[]): void {
    const inOrder = found.length > 1 ? found.toSorted(compareRecords) : found;
    for (const one of inOrder) {
      const bucket = this.days[one.date - this.month.first]?.get(check);
      if (bucket === undefined) throw new Error(`${check.code} found something outside of the month.`);
      bucket.loose.push({ ...employee, found: one });
      this.length += 1;
      this.referenceCount += 2 + one.references.length;
      this.looseReferences += 2 + one.references.length;
      if (this.referenceCount > MAX_REFERENCES) throw tooMany();
      if (this.looseReferences > MAX_LOOSE_REFERENCES) this.packLoose();
    }
  }

  *[Symbol.iterator](): Generator<Finding, void, undefined> {
    for (const { check, packed, loose } of this.buckets()) {
      for (const unpack of packed) for (const finding of unpack()) yield { check, ...finding };
      for (const finding of loose) yield { check, ...finding };
    }
  }

  private packLoose(): void {
    for (const bucket of this.buckets()) {
      if (bucket.loose.length === 0) continue;
      bucket.packed.push(this.pack(bucket.loose));
      bucket.loose = [];
    }
    this.looseReferences = 0;
  }

  private *buckets(): Generator<Bucket, void, undefined> {
    for (const day of this.days) yield* day.values();
  }
}

function tooMany(): AppError {
  const size = `The findings of the month refer to more than ${String(MAX_REFERENCES)} records.`;
  return AppError.invalid({
    non_field_errors: [`${size} Correct some of the records first, or choose fewer checks in the review settings.`],
  });
}

function compareChecks(a: Check, b: Check): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity) || (a.code < b.code ? -1 : 1);
}

/** Compares all records, because findings about pairs may have the same first record. */
function compareRecords(a: Found, b: Found): number {
  const shared = Math.min(a.references.length, b.references.length);
  for (let at = 0; at < shared; at += 1) {
    const [of, than] = [a.references[at]?.[1] ?? '', b.references[at]?.[1] ?? ''];
    if (of !== than) return of < than ? -1 : 1;
  }
  return a.references.length - b.references.length;
}
