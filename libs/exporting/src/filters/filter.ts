import type { ExportDirectory, StaffMember } from '../directory.js';
import type { Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';
import type { RecordPart } from '../row-types/row-type.js';
import type { Timesheet } from '../timesheet.js';

/** Selects employees by master data alone. */
export interface StaffFilter {
  readonly scope: 'staff';
  readonly matches: (staff: StaffMember) => boolean;
}

/** Selects employees by their time records. */
export interface RecordFilter {
  readonly scope: 'records';
  readonly needs: readonly RecordPart[];
  readonly matches: (sheet: Timesheet) => boolean;
}

/** A filter of a request. */
export type ChosenFilter = (StaffFilter | RecordFilter) & {
  /** Whether it was written with `!=`; `matches` already includes the negation. */
  readonly negated: boolean;
};

/** One key of the parameter `filter`. */
export interface FilterKey extends ReferenceEntry {
  /** Compiles a filter that matches any of the values; reports invalid values. */
  compile(values: readonly string[], directory: ExportDirectory, report: Report): StaffFilter | RecordFilter;
}

/** Normalises a text for comparison: ignores case and the Unicode composition of umlauts. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
