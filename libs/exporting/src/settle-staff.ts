import type { ExportDirectory, StaffMember, StaffRecords } from './directory.js';
import type { NeededParts } from './needed-parts.js';
import type { ExportRequest, SectionRequest } from './request/export-request.js';
import { inOrder, notEmployed, skippedStaff, type SelectedStaff, type SkipReason, type StaffSelection } from './select-staff.js';
import { Timesheet, timesheetContext } from './timesheet.js';

/** The input for settling the staff of a request. */
export interface SettleInput {
  readonly request: ExportRequest;
  readonly directory: ExportDirectory;
  /** Reads records of employees, in the given order; called only if the selection of an employee depends on them. */
  readonly read: (staff: readonly StaffMember[], parts: NeededParts) => AsyncIterable<StaffRecords>;
}

/** Decides by records about the employees whom master data left undecided. Employees without records (deleted meanwhile) are in no list. */
export async function settleStaff(selection: StaffSelection, input: SettleInput): Promise<SelectedStaff> {
  const { sections, undecided, skipped } = selection;
  if (undecided.every((staff) => staff.length === 0)) return { sections, skipped };
  const { request, directory } = input;
  const reasons = new Map(skipped.map(({ id, reason }) => [id, reason]));
  const settled: (readonly StaffMember[])[] = [];
  for (const [index, section] of request.sections.entries()) {
    const included = new Set(sections[index]);
    for await (const [member, verdict] of verdicts(section, undecided[index] ?? [], input)) {
      if (verdict === 'included') included.add(member);
      else reasons.set(member.id, verdict);
    }
    const inDirectoryOrder = directory.staff.filter((member) => included.has(member));
    settled.push(inOrder(inDirectoryOrder, section));
  }
  return { sections: settled, skipped: skippedStaff(directory, reasons) };
}

/** Yields the decision for each undecided employee, except for those whom a filter on records excludes. */
async function* verdicts(
  section: SectionRequest,
  undecided: readonly StaffMember[],
  input: Omit<SettleInput, 'request'>,
): AsyncGenerator<readonly [StaffMember, SkipReason | 'included'], void, undefined> {
  for await (const sheet of matching(section, undecided, { ...input, parts: everythingIn(section) })) yield [sheet.staff, verdictOn(sheet)];
}

interface MatchingInput extends Omit<SettleInput, 'request'> {
  /** The records to read: at least those that the section's filters need. */
  readonly parts: NeededParts;
}

/**
 * Yields the timesheets of the employees who match the section's filters on records. Employees without records (deleted meanwhile) are
 * skipped.
 */
export async function* matching(
  section: SectionRequest,
  staff: readonly StaffMember[],
  { directory, read, parts }: MatchingInput,
): AsyncGenerator<Timesheet, void, undefined> {
  if (staff.length === 0) return;
  const context = timesheetContext(directory, section.period);
  const members = new Map(staff.map((member) => [member.id, member]));
  for await (const records of read(staff, parts)) {
    const member = members.get(records.employeeId);
    if (member === undefined) continue;
    const sheet = new Timesheet(member, records, context);
    if (section.filters.every((filter) => filter.scope === 'staff' || filter.matches(sheet))) yield sheet;
  }
}

/** Needs all kinds of records: whether the period has any does not depend on the requested wage codes. */
function everythingIn({ period }: SectionRequest): NeededParts {
  const parts = { contracts: true, absences: true, workdays: true, timespans: true };
  return { days: period, ...parts, openingBalances: false, vacation: false, vacationBefore: false };
}

function verdictOn(sheet: Timesheet): SkipReason | 'included' {
  const reason = notEmployed(sheet.staff, sheet.context.period);
  if (reason !== undefined && sheet.totals.gross === 0 && sheet.totals.absence.days === 0) return reason;
  return sheet.staff.accountingNumber === null ? 'no-accounting-number' : 'included';
}
