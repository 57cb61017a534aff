import type { ExportDirectory, StaffMember } from '../directory.js';
import type { Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';
import type { RecordPart } from '../row-types/row-type.js';
import type { Timesheet } from '../timesheet.js';

/** Decides about an employee from the master data alone. */
export interface StaffFilter {
  readonly scope: 'staff';
  readonly matches: (staff: StaffMember) => boolean;
}

/** Decides about an employee from the time records. */
export interface RecordFilter {
  readonly scope: 'records';
  readonly needs: readonly RecordPart[];
  readonly matches: (sheet: Timesheet) => boolean;
}

/** A filter of a request. */
export type ChosenFilter = (StaffFilter | RecordFilter) & {
  /** Written with `!=`; `matches` is already negated. */
  readonly negated: boolean;
};

/** One key of the parameter `filter`. */
export interface FilterKey extends ReferenceEntry {
  /** Compiles the values, one of which has to match; reports invalid ones. */
  compile(values: readonly string[], directory: ExportDirectory, report: Report): StaffFilter | RecordFilter;
}

/** Folds a text for comparisons, which ignore case and the composition of umlauts. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
