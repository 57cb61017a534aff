import { unfit } from './encodings/fitting-columns.js';
import type { ExportDirectory, StaffMember } from './directory.js';
import type { TextEncoding } from './encodings/text-encoding.js';
import { byAccountingNumber } from './payroll/accounting-number.js';
import { Problems, type Report } from './problems.js';
import type { ExportRequest, SectionRequest } from './request/export-request.js';
import { Row } from './row.js';

/** Why somebody whom the request selects is not in the file. */
export type SkipReason = 'archived' | 'left' | 'no-accounting-number';

/** Somebody whom the request selects and the file leaves out. */
export interface SkippedStaff {
  readonly id: string;
  /** First name, space, last name. */
  readonly name: string;
  readonly reason: SkipReason;
}

/** Whose records to read, and who is left out. */
export interface SelectedStaff {
  /** For each section of the request its staff, in the order of the rows. */
  readonly sections: readonly (readonly StaffMember[])[];
  /** Each person once, in the order of the staff; somebody whom one section leaves out may be in another. */
  readonly skipped: readonly SkippedStaff[];
}

/**
 * Chooses the staff of a request. Filters on records (`project`, `missing-type`) are applied later, while their records pass.
 *
 * @throws AppError `invalid` when a name or department of somebody employed in the period cannot be written in the encoding asked for: told
 * now, the client still gets an answer
 */
export function selectStaff({ sections, format }: ExportRequest, directory: ExportDirectory): SelectedStaff {
  const reasons = new Map<StaffMember, SkipReason>();
  const problems = new Problems();
  const included = sections.map((section) => {
    const staff = staffOf(section, directory, reasons);
    reportUnfit({ section, encoding: format.encoding, directory, staff }, problems.of('export_format'));
    return staff;
  });
  problems.throwIfAny();
  return { sections: included, skipped: skippedStaff(directory, reasons) };
}

/** The staff of a section in the order of its rows; why others of those selected are left out is added to `reasons`. */
function staffOf(section: SectionRequest, { staff }: ExportDirectory, reasons: Map<StaffMember, SkipReason>): readonly StaffMember[] {
  const included: StaffMember[] = [];
  for (const member of staff) {
    if (!isSelected(member, section)) continue;
    const reason = skipReason(member, section);
    if (reason === undefined) included.push(member);
    else if (canHaveRecords(section)) reasons.set(member, reason);
  }
  return section.isPayroll ? included.sort(byAccountingNumber) : included;
}

function skipReason(member: StaffMember, section: SectionRequest): SkipReason | undefined {
  if (isArchived(member, section)) return 'archived';
  return section.isPayroll && member.accountingNumber === null ? 'no-accounting-number' : undefined;
}

function skippedStaff({ staff }: ExportDirectory, reasons: ReadonlyMap<StaffMember, SkipReason>): readonly SkippedStaff[] {
  return staff.flatMap((member) => {
    const reason = reasons.get(member);
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

/** Whether somebody archived before the period can be meant: a filter that asks for records in the period means others. */
function canHaveRecords({ filters }: SectionRequest): boolean {
  return filters.every((filter) => filter.scope === 'staff' || filter.negated);
}

interface WrittenSection {
  readonly section: SectionRequest;
  readonly encoding: TextEncoding;
  readonly directory: ExportDirectory;
  readonly staff: readonly StaffMember[];
}

function reportUnfit({ section, encoding, directory, staff }: WrittenSection, report: Report): void {
  if (encoding.name === 'utf-8') return;
  const { columns, types, period } = section;
  const constant = columns.filter((column) => column.constant);
  const problems = new Set<string>();
  for (const member of staff) {
    if (member.hiredOn > period.last || (member.leftOn !== null && member.leftOn < period.first)) continue;
    const department = member.departmentId === null ? null : (directory.departments.get(member.departmentId) ?? null);
    for (const type of types) {
      const row = new Row({ staff: member, department, type });
      for (const column of constant) {
        const text = column.cell(row);
        if (!encoding.fits(text)) problems.add(unfit(text, column, row, encoding));
      }
    }
  }
  for (const problem of problems) report(problem);
}
