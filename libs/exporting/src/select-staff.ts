import { EventLoopBreaks } from '@stechuhr/kernel';
import type { DateRange } from '@stechuhr/worktime';
import type { ExportDirectory, StaffMember } from './directory.js';
import { byAccountingNumber } from './payroll/accounting-number.js';
import type { ExportRequest, SectionRequest } from './request/export-request.js';

/** Why a selected employee is not in the file. */
export type SkipReason = 'archived' | 'left' | 'not-yet-hired' | 'no-accounting-number';

/** An employee whom the request selects, but whom the file leaves out. */
export interface SkippedStaff {
  readonly id: string;
  /** First name, space, last name. */
  readonly name: string;
  readonly reason: SkipReason;
}

/** The staff whose records are read, and the employees who are left out, as far as master data decides. */
export interface StaffSelection extends SelectedStaff {
  /** For each section, the employees about whom only their records can decide, in the order of the staff; they are in no other list. */
  readonly undecided: readonly (readonly StaffMember[])[];
}

/** The staff whose records are read, and the employees who are left out. */
export interface SelectedStaff {
  /** The staff of each section, in the order of the rows. */
  readonly sections: readonly (readonly StaffMember[])[];
  /** Each employee once, in the order of the staff. An employee left out of one section may be in another. */
  readonly skipped: readonly SkippedStaff[];
}

/**
 * Selects the staff of a request by master data; `settleStaff` decides about the remaining employees. Filters on records (`project`,
 * `missing-type`) are applied later, when the records are read.
 */
export async function selectStaff({ sections }: ExportRequest, directory: ExportDirectory): Promise<StaffSelection> {
  const reasons = new Map<string, SkipReason>();
  const chosen: SectionStaff[] = [];
  for (const section of sections) chosen.push(await staffOf(section, directory, reasons));
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
 * Selects the staff of a section, in the order of its rows; the reasons why other selected employees are left out are added to `reasons`.
 * It yields to other requests: the maximum number of filters on the staff of a large company takes half a minute.
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
 * Whether only records can decide about an employee. Employees who left before the period are in a payroll file only if the period has
 * records of them. Employees without a number are only reported if filters on records match them.
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

/** Sorts staff in the order of the rows. */
export function inOrder(staff: readonly StaffMember[], { isPayroll }: SectionRequest): readonly StaffMember[] {
  return isPayroll ? [...staff].sort(byAccountingNumber) : staff;
}

/** Returns the employees who are left out, in the order of the staff. */
export function skippedStaff({ staff }: ExportDirectory, reasons: ReadonlyMap<string, SkipReason>): readonly SkippedStaff[] {
  return staff.flatMap((member) => {
    const reason = reasons.get(member.id);
    return reason === undefined ? [] : [{ id: member.id, name: `${member.firstName} ${member.lastName}`, reason }];
  });
}

function isSelected(member: StaffMember, { employeeIds, employeeGroupIds, filters }: SectionRequest): boolean {
  const isListed =
    (employeeIds === null && employeeGroupIds === null) ||
    employeeIds?.has(member.id) === true ||
    (member.departmentId !== null && employeeGroupIds?.has(member.departmentId) === true);
  return isListed && filters.every((filter) => filter.scope === 'records' || filter.matches(member));
}

/** Archived before the start of the period (spec, Exports, rule 1). */
function isArchived({ archivedOn }: StaffMember, { period }: SectionRequest): boolean {
  return archivedOn !== null && archivedOn < period.first;
}

/**
 * Whether archived employees could be selected. Filters on records exclude them, since they have no records in the period, unless negated.
 */
function canHaveRecords({ filters }: SectionRequest): boolean {
  return filters.every((filter) => filter.scope === 'staff' || filter.negated);
}
