import type { ExportDirectory, NeededParts, StaffMember, StaffRecords } from '@stechuhr/exporting';
import { calendarDate, epochDay, type EpochDay } from '@stechuhr/worktime';
import type { ExportSources } from './sources.js';
import { withVacation } from './with-vacation.js';

const FIRST_YEAR = 1;

/** Reads the records that a section needs, in the order of the staff, from the services that own them. */
export function readStaffRecords(
  { records, balances }: ExportSources,
  { institution }: ExportDirectory,
  staff: readonly StaffMember[],
  parts: NeededParts,
): AsyncIterable<StaffRecords> {
  const employeeIds = staff.map(({ id }) => id);
  const missingTypes = institution.absenceTypes.filter(({ category }) => category === 'vacation').map(({ value }) => value);
  const vacationOn = (onDay: EpochDay) => balances.readVacation({ employeeIds, onDay, missingTypes });
  let joined = records.readTimeRecords(staff, parts);
  if (parts.vacation) joined = withVacation(employeeIds, joined, { balances: vacationOn(parts.days.last), as: 'vacation' });
  const { year } = calendarDate(parts.days.last);
  // Before the first year that a date can have, nothing was granted.
  if (!parts.vacationBefore || year === FIRST_YEAR) return joined;
  const lastYearsEnd = epochDay(year, 1, 1) - 1;
  return withVacation(employeeIds, joined, { balances: vacationOn(lastYearsEnd), as: 'vacationBefore' });
}
