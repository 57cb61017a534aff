import type { ExportDirectory, StaffMember } from '../directory.js';
import type { Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';
import type { RecordPart } from '../row-types/row-type.js';
import type { Timesheet } from '../timesheet.js';

/** Decides about an employee by the master data alone. */
export interface StaffFilter {
  readonly scope: 'staff';
  readonly matches: (staff: StaffMember) => boolean;
}

/** Decides about an employee by the time records. */
export interface RecordFilter {
  readonly scope: 'records';
  readonly needs: readonly RecordPart[];
  readonly matches: (sheet: Timesheet) => boolean;
}

/** A filter as a request chose it. */
export type ChosenFilter = (StaffFilter | RecordFilter) & {
  /** Written with `!=`; `matches` already answers the opposite then. */
  readonly negated: boolean;
};

/** One key of the parameter `filter`. */
export interface FilterKey extends ReferenceEntry {
  /** Reads the values, of which one has to match; reports values of the wrong kind. */
  compile(values: readonly string[], directory: ExportDirectory, report: Report): StaffFilter | RecordFilter;
}

/** Texts are compared without regard to case and to how umlauts are composed. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
