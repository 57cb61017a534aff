import { generateDemo } from '@stechuhr/demo-firm';
import { epochDay } from '@stechuhr/worktime';

/** A generated firm. It is deterministic: the same name and size always produce the same data. */
export interface BenchFirm {
  /** Unique among the firms of a platform. */
  readonly name: string;
  readonly institutionId: string;
  /** The account of an administrator. */
  readonly accountId: string;
  /** The lines of its import; referenced records come first. They are generated while they are read. */
  readonly records: Iterable<object>;
}

/** Returns a firm with the year 2025, for exports. */
export const yearFirm = (employees: number): BenchFirm => firm({ employees, months: 12, today: epochDay(2026, 1, 1) });

/** Returns a firm with October 2025, in which a review finds problems. */
export const monthFirm = (employees: number): BenchFirm => firm({ employees, months: 1, today: epochDay(2025, 11, 1) });

/** Returns a firm with the year 2025 that is unique to a run, so that it has not been stored before. */
export const newFirm = (employees: number, run: string): BenchFirm => firm({ employees, months: 12, today: epochDay(2026, 1, 1) }, run);

/** Returns many small firms with October 2025 each, and one that combines all of them for a single import. */
export function smallFirms(institutions: number, employees: number): { readonly all: BenchFirm; readonly each: readonly BenchFirm[] } {
  const size = { employees, months: 1, today: epochDay(2025, 11, 1) };
  const each = Array.from({ length: institutions }, (_, number) => firm(size, String(number)));
  const [first] = each;
  if (first === undefined) throw new Error('There is no firm.');
  return { each, all: { ...first, name: `${institutions} institutions of ${first.name}`, records: chained(each) } };
}

function* chained(firms: readonly BenchFirm[]): Generator<object> {
  for (const { records } of firms) yield* records;
}

function firm(size: { readonly employees: number; readonly months: number; readonly today: number }, run?: string): BenchFirm {
  const name = `${size.employees} employees and ${size.months} months`;
  return { name, ...generateDemo({ seed: `bench, ${name}${run === undefined ? '' : `, ${run}`}`, ...size, hasStarted: false }) };
}
