import type { Absence, AbsenceType, Contract, EpochDay, Workday } from '@stechuhr/worktime';

/** An employee as exports use it; missing fields are null. */
export interface StaffMember {
  readonly id: string;
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

/** The data of the caller's institution that exports use. */
export interface ExportInstitution {
  readonly id: string;
  readonly name: string;
  /** ISO 3166-2 code such as DE-BY; null means nationwide holidays only. */
  readonly federalState: string | null;
  readonly payrollClientNumber: string | null;
  readonly absenceTypes: readonly AbsenceType[];
}

/** The master data that the caller of a request may see; any other id is unknown. */
export interface ExportDirectory {
  readonly institution: ExportInstitution;
  /** Sorted in the order of the rows: by last name and first name (German collation), then number and id (code points). */
  readonly staff: readonly StaffMember[];
  readonly departments: ReadonlyMap<string, Department>;
  readonly projects: ReadonlyMap<string, Project>;
}

/** Returns the department of an employee; null if there is none, or the caller may not see it. */
export function departmentOf({ departmentId }: StaffMember, { departments }: ExportDirectory): Department | null {
  return departmentId === null ? null : (departments.get(departmentId) ?? null);
}

/** The time records of one employee; parts that `neededParts` did not request may be empty. */
export interface StaffRecords {
  readonly employeeId: string;
  readonly contracts: readonly Contract[];
  readonly absences: readonly Absence[];
  /** Workdays of all months read, in any order. */
  readonly workdays: readonly Workday[];
  /** Opening balances of the months read that have one, in any order. */
  readonly openingBalances: readonly OpeningBalance[];
  /** At the end of the period; undefined if it was not requested. */
  readonly vacation?: VacationBalance;
  /** At the end of the year before that of the period's last day; undefined if it was not requested. */
  readonly vacationBefore?: VacationBalance;
}

/** The result of the absence rules for all types of category vacation, in hundredths of days. */
export interface VacationBalance {
  /** Everything granted so far: taken, expired and remaining. */
  readonly granted: number;
  readonly taken: number;
  readonly remaining: number;
  /** The part of `remaining` that expires at some time. */
  readonly expiring: number;
}

/** The balance of the working time account at the beginning of a month. */
export interface OpeningBalance {
  /** The 1st of the month. */
  readonly day: EpochDay;
  readonly seconds: number;
}
