import type { ExportDirectory, NeededParts, StaffMember, StaffRecords, VacationBalance } from '@stechuhr/exporting';
import type { EpochDay } from '@stechuhr/worktime';

/** The records as one caller may see them; every call ends when that caller disconnects. */
export interface CallerRecords {
  /** Projects are empty unless requested. */
  readDirectory(needs: { readonly projects: boolean }): Promise<ExportDirectory>;
  /** In the order of the staff. */
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

/** The absence rules as one caller sees them; every call ends when that caller disconnects. */
export interface CallerBalances {
  readVacation(query: VacationQuery): AsyncIterable<EmployeeVacation>;
}

/** The data of an export, as one caller may see it. */
export interface ExportSources {
  readonly records: CallerRecords;
  readonly balances: CallerBalances;
}
