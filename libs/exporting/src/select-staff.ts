import { unfit } from './encodings/fitting-columns.js';
import type { ExportDirectory, StaffMember } from './directory.js';
import type { TextEncoding } from './encodings/text-encoding.js';
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
  const skipped = new Set<StaffMember>();
  const problems = new Problems();
  const included = sections.map((section) => {
    const selected = directory.staff.filter((member) => isSelected(member, section));
    const staff = selected.filter((member) => !isArchived(member, section));
    if (canHaveRecords(section)) for (const member of selected) if (isArchived(member, section)) skipped.add(member);
    reportUnfit({ section, encoding: format.encoding, directory, staff }, problems.of('export_format'));
    return staff;
  });
  problems.throwIfAny();
  return { sections: included, skipped: directory.staff.filter((member) => skipped.has(member)).map(asArchived) };
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

function asArchived({ id, firstName, lastName }: StaffMember): SkippedStaff {
  return { id, name: `${firstName} ${lastName}`, reason: 'archived' };
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
