import { generateDemo } from '@stechuhr/demo-firm';
import { epochDay } from '@stechuhr/worktime';

/** A firm to measure with: of the same name and size it is the same, whenever it is made. */
export interface BenchFirm {
  /** Tells firms of one platform apart. */
  readonly name: string;
  readonly institutionId: string;
  /** The account that sees everything. */
  readonly accountId: string;
  /** The lines of its import, references first; made when they are read. */
  readonly records: Iterable<object>;
}

/** The year 2025 of a firm, which exports write. */
export const yearFirm = (employees: number): BenchFirm => firm({ employees, months: 12, today: epochDay(2026, 1, 1) });

/** October 2025 of a firm; its review finds something. */
export const monthFirm = (employees: number): BenchFirm => firm({ employees, months: 1, today: epochDay(2025, 11, 1) });

/** The year of a firm that nobody has stored yet: one of its own for each run. */
export const newFirm = (employees: number, run: string): BenchFirm => firm({ employees, months: 12, today: epochDay(2026, 1, 1) }, run);

/** Many small firms with October 2025 each; they are imported as one. */
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
