import type { ExportDirectory, NeededParts, StaffMember, StaffRecords, VacationBalance } from '@stechuhr/exporting';
import type { EpochDay } from '@stechuhr/worktime';

/** The part of the master data that not every export needs. */
export interface DirectoryNeeds {
  readonly projects: boolean;
  /** The names of the custom fields of employees. */
  readonly customFields: ReadonlySet<string>;
}

/** The records that a caller may see; every call ends when the caller disconnects. */
export interface CallerRecords {
  /**
   * Returns the master data.
   *
   * @throws AppError `invalid` if it is too large for one export, `rate_limited` if it is too large besides other running exports
   */
  readDirectory(needs: DirectoryNeeds): Promise<ExportDirectory>;
  /** Yields the records in the order of the staff. */
  readTimeRecords(staff: readonly StaffMember[], parts: NeededParts): AsyncIterable<StaffRecords>;
}

/** The vacation balance of one employee. */
export interface EmployeeVacation {
  readonly employeeId: string;
  readonly vacation: VacationBalance;
}

/** The employees whose balance is requested. */
export interface VacationQuery {
  /** In the order of the response. */
  readonly employeeIds: readonly string[];
  readonly onDay: EpochDay;
  /** Absence types of category vacation. */
  readonly missingTypes: readonly string[];
}

/** The vacation balances that a caller may see; every call ends when the caller disconnects. */
export interface CallerBalances {
  readVacation(query: VacationQuery): AsyncIterable<EmployeeVacation>;
}

/** All sources of an export, limited to what a caller may see. */
export interface ExportSources {
  readonly records: CallerRecords;
  readonly balances: CallerBalances;
}
