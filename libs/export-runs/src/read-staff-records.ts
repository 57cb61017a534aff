import type { ExportDirectory, NeededParts, StaffMember, StaffRecords } from '@stechuhr/exporting';
import type { ExportSources } from './sources.js';
import { withVacation } from './with-vacation.js';

/** What a section needs of its staff, in their order, from the services that know it. */
export function readStaffRecords(
  { records, balances }: ExportSources,
  { institution }: ExportDirectory,
  staff: readonly StaffMember[],
  parts: NeededParts,
): AsyncIterable<StaffRecords> {
  const timeRecords = records.readTimeRecords(staff, parts);
  if (!parts.vacation) return timeRecords;
  const employeeIds = staff.map(({ id }) => id);
  const missingTypes = institution.absenceTypes.filter(({ category }) => category === 'vacation').map(({ value }) => value);
  return withVacation(employeeIds, timeRecords, balances.readVacation({ employeeIds, onDay: parts.days.last, missingTypes }));
}
