import { unfit } from './encodings/fitting-columns.js';
import type { ExportDirectory, StaffMember } from './directory.js';
import { Problems } from './problems.js';
import type { ExportRequest } from './request/export-request.js';
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

/** Whose records to read, in the order of the rows, and who is left out. */
export interface SelectedStaff {
  readonly included: readonly StaffMember[];
  readonly skipped: readonly SkippedStaff[];
}

/**
 * Chooses the staff of a request. Filters on records (`project`, `missing-type`) are applied later, while their records pass.
 *
 * @throws AppError `invalid` when a name or department of somebody employed in the period cannot be written in the encoding asked for: told
 * now, the client still gets an answer
 */
export function selectStaff(request: ExportRequest, directory: ExportDirectory): SelectedStaff {
  const selected = directory.staff.filter((member) => isSelected(member, request));
  const included = selected.filter((member) => !isArchived(member, request));
  assertFitting(request, directory, included);
  return { included, skipped: canHaveRecords(request) ? selected.filter((member) => isArchived(member, request)).map(asArchived) : [] };
}

function isSelected(member: StaffMember, { employeeIds, employeeGroupIds, filters }: ExportRequest): boolean {
  const isListed =
    (employeeIds === null && employeeGroupIds === null) ||
    employeeIds?.includes(member.id) === true ||
    (member.departmentId !== null && employeeGroupIds?.includes(member.departmentId) === true);
  return isListed && filters.every((filter) => filter.scope === 'records' || filter.matches(member));
}

/** Archived before the start of the period (spec, Exports, rule 1). */
function isArchived({ archivedOn }: StaffMember, { period }: ExportRequest): boolean {
  return archivedOn !== null && archivedOn < period.first;
}

/** Whether somebody archived before the period can be meant: a filter that asks for records in the period means others. */
function canHaveRecords({ filters }: ExportRequest): boolean {
  return filters.every((filter) => filter.scope === 'staff' || filter.negated);
}

function asArchived({ id, firstName, lastName }: StaffMember): SkippedStaff {
  return { id, name: `${firstName} ${lastName}`, reason: 'archived' };
}

function assertFitting({ format, columns, types, period }: ExportRequest, directory: ExportDirectory, staff: readonly StaffMember[]): void {
  if (format.encoding.name === 'utf-8') return;
  const constant = columns.filter((column) => column.constant);
  const problems = new Set<string>();
  for (const member of staff) {
    if (member.hiredOn > period.last || (member.leftOn !== null && member.leftOn < period.first)) continue;
    const department = member.departmentId === null ? null : (directory.departments.get(member.departmentId) ?? null);
    for (const type of types) {
      const row = new Row({ staff: member, department, type });
      for (const column of constant) {
        const text = column.cell(row);
        if (!format.encoding.fits(text)) problems.add(unfit(text, column, row, format.encoding));
      }
    }
  }
  const found = new Problems();
  for (const problem of problems) found.of('export_format')(problem);
  found.throwIfAny();
}
