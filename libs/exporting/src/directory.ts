import type { Absence, AbsenceType, Contract, EpochDay, Workday } from '@stechuhr/worktime';

/** An employee as exports see it; null where the record leaves a field out. */
export interface StaffMember {
  readonly id: string;
  readonly accountId: string | null;
  readonly number: string;
  readonly accountingNumber: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly departmentId: string | null;
  readonly customFields: Readonly<Record<string, string>>;
  readonly hiredOn: EpochDay;
  /** Last day employed. */
  readonly leftOn: EpochDay | null;
  readonly archivedOn: EpochDay | null;
}

/** A department; employee groups of a request are departments. */
export interface Department {
  readonly id: string;
  readonly name: string;
  readonly costCenter: string | null;
}

/** A project that time is tracked on. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly client: string;
  readonly costCenter: string;
}

/** What exports need of the caller's institution. */
export interface ExportInstitution {
  readonly id: string;
  readonly name: string;
  /** ISO 3166-2 code such as DE-BY; null means nationwide holidays only. */
  readonly federalState: string | null;
  readonly payrollClientNumber: string | null;
  readonly absenceTypes: readonly AbsenceType[];
}

/** The master data of one request that its caller may see; any other id is unknown. */
export interface ExportDirectory {
  readonly institution: ExportInstitution;
  /** By last name and first name (German collation), number and id (code points): the order of the rows. */
  readonly staff: readonly StaffMember[];
  readonly departments: ReadonlyMap<string, Department>;
  readonly projects: ReadonlyMap<string, Project>;
}

/** The time records of one employee; what `neededParts` did not ask for may be empty. */
export interface StaffRecords {
  readonly employeeId: string;
  readonly contracts: readonly Contract[];
  readonly absences: readonly Absence[];
  /** Of all months read, in any order. */
  readonly workdays: readonly Workday[];
  /** Of all months read that have one, in any order. */
  readonly openingBalances: readonly OpeningBalance[];
  /** At the end of the period; absent where it was not requested. */
  readonly vacation?: VacationBalance;
  /** At the end of the year before that of the period's last day; absent where it was not requested. */
  readonly vacationBefore?: VacationBalance;
}

/** What the absence rules come to, over all types of category vacation: hundredths of days. */
export interface VacationBalance {
  /** All that was granted so far: taken, expired and remaining. */
  readonly granted: number;
  readonly taken: number;
  readonly remaining: number;
  /** The part of `remaining` that has an expiry. */
  readonly expiring: number;
}

/** What the account of working time stood at when a month began. */
export interface OpeningBalance {
  /** The 1st of the month. */
  readonly day: EpochDay;
  readonly seconds: number;
}
