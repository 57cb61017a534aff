import type { DateRange } from '@stechuhr/worktime';
import type { ExportDirectory, StaffMember } from './directory.js';
import { byAccountingNumber } from './payroll/accounting-number.js';
import { Problems } from './problems.js';
import type { ExportRequest, SectionRequest } from './request/export-request.js';
import { reportUnencodable } from './encodings/report-unencodable.js';
import { EventLoopBreaks } from './event-loop-breaks.js';

/** Why a selected employee is not in the file. */
export type SkipReason = 'archived' | 'left' | 'not-yet-hired' | 'no-accounting-number';

/** An employee that the request selects and the file leaves out. */
export interface SkippedStaff {
  readonly id: string;
  /** First name, space, last name. */
  readonly name: string;
  readonly reason: SkipReason;
}

/** Whose records to read, and who is left out according to the master data. */
export interface StaffSelection extends SelectedStaff {
  /** For each section those about whom only their records decide, in the order of the staff; they are in no other list. */
  readonly undecided: readonly (readonly StaffMember[])[];
}

/** Whose records to read, and who is left out. */
export interface SelectedStaff {
  /** For each section of the request its staff, in the order of the rows. */
  readonly sections: readonly (readonly StaffMember[])[];
  /** Each employee once, in the order of the staff; one that is left out of a section may be in another. */
  readonly skipped: readonly SkippedStaff[];
}

/**
 * Chooses the staff of a request; `settleStaff` decides about the rest. Filters on records (`project`, `missing-type`) are applied later,
 * while their records pass.
 *
 * @throws AppError `invalid` when a name or department of an employee of the period cannot be written in the requested encoding: reported
 * now, the client still gets an answer
 */
export async function selectStaff({ sections, format }: ExportRequest, directory: ExportDirectory): Promise<StaffSelection> {
  const reasons = new Map<string, SkipReason>();
  const problems = new Problems();
  const chosen: SectionStaff[] = [];
  for (const section of sections) {
    const { included, undecided } = await staffOf(section, directory, reasons);
    await reportUnencodable({ section, encoding: format.encoding, directory, staff: included }, problems.of('export_format'));
    chosen.push({ included, undecided });
  }
  problems.throwIfAny();
  return {
    sections: chosen.map(({ included }) => included),
    undecided: chosen.map(({ undecided }) => undecided),
    skipped: skippedStaff(directory, reasons),
  };
}

interface SectionStaff {
  readonly included: readonly StaffMember[];
  readonly undecided: readonly StaffMember[];
}

/**
 * The staff of a section in the order of its rows; why others of those selected are left out is added to `reasons`. Others work meanwhile:
 * all the filters that a request can hold, on all the staff of a large firm, take half a minute.
 */
async function staffOf(section: SectionRequest, { staff }: ExportDirectory, reasons: Map<string, SkipReason>): Promise<SectionStaff> {
  const included: StaffMember[] = [];
  const undecided: StaffMember[] = [];
  const breaks = new EventLoopBreaks();
  for (const member of staff) {
    if (breaks.isDue) await breaks.take();
    if (!isSelected(member, section)) continue;
    if (isArchived(member, section)) {
      if (canHaveRecords(section)) reasons.set(member.id, 'archived');
    } else if (isUndecided(member, section)) undecided.push(member);
    else if (section.isPayroll && member.accountingNumber === null) reasons.set(member.id, 'no-accounting-number');
    else included.push(member);
  }
  return { included: inOrder(included, section), undecided };
}

/**
 * A payroll office wants nothing of whoever left before the period or comes after it, unless there is something in it after all. Whoever lacks
 * a number was selected only if filters on records let them pass.
 */
function isUndecided(member: StaffMember, { isPayroll, period, filters }: SectionRequest): boolean {
  if (!isPayroll) return false;
  const hasNoNumber = member.accountingNumber === null;
  return notEmployed(member, period) !== undefined || (hasNoNumber && filters.some(({ scope }) => scope === 'records'));
}

/** Why somebody is not employed on a single day of a period; undefined for those who are. */
export function notEmployed({ hiredOn, leftOn }: StaffMember, { first, last }: DateRange): 'left' | 'not-yet-hired' | undefined {
  if (leftOn !== null && leftOn < first) return 'left';
  return hiredOn > last ? 'not-yet-hired' : undefined;
}

/** Staff in the order of the rows. */
export function inOrder(staff: readonly StaffMember[], { isPayroll }: SectionRequest): readonly StaffMember[] {
  return isPayroll ? [...staff].sort(byAccountingNumber) : staff;
}

/** Those who are left out, in the order of the staff. */
export function skippedStaff({ staff }: ExportDirectory, reasons: ReadonlyMap<string, SkipReason>): readonly SkippedStaff[] {
  return staff.flatMap((member) => {
    const reason = reasons.get(member.id);
    return reason === undefined ? [] : [{ id: member.id, name: `${member.firstName} ${member.lastName}`, reason }];
  });
}

function isSelected(member: StaffMember, { employeeIds, employeeGroupIds, filters }: SectionRequest): boolean {
  const isListed =
    (employeeIds === null && employeeGroupIds === null) ||
    employeeIds?.includes(member.id) === true ||
    (member.departmentId !== null && employeeGroupIds?.includes(member.departmentId) === true);
  return isListed && filters.every((filter) => filter.scope === 'records' || filter.matches(member));
}

/** Archived before the start of the period (spec, Exports, rule 1). */
function isArchived({ archivedOn }: StaffMember, { period }: SectionRequest): boolean {
  return archivedOn !== null && archivedOn < period.first;
}

/** Whether employees archived before the period can be selected: a filter on records in the period excludes them. */
function canHaveRecords({ filters }: SectionRequest): boolean {
  return filters.every((filter) => filter.scope === 'staff' || filter.negated);
}
