import type { AbsenceType, EpochDay } from '@stechuhr/worktime';
import type { Entitlement } from './kinds/entitlement.js';

/** An account as other services read it. */
export interface Account {
  readonly id: string;
  readonly institutionId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly departmentIds: string[];
  /** Undefined means all projects. */
  readonly projectIds: string[] | undefined;
}

/** An account as it is listed for operators. */
export interface ListedAccount {
  readonly account: Account;
  readonly email: string;
  /** Undefined if the institution was deleted. */
  readonly institutionName: string | undefined;
}

export type Role = 'admin' | 'manager' | 'department_leader';

export interface Institution {
  readonly id: string;
  readonly name: string;
  readonly federalState: string | undefined;
  readonly payrollClientNumber: string | undefined;
  readonly absenceTypes: readonly AbsenceType[];
}

export interface Department {
  readonly id: string;
  readonly name: string;
  readonly costCenter: string | undefined;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly color: string;
  readonly address: string;
  readonly costCenter: string;
  readonly client: string;
  readonly dailyReportsEnabled: boolean;
  readonly archived: boolean;
}

export interface Employee {
  readonly id: string;
  readonly accountId: string | undefined;
  readonly number: string;
  readonly accountingNumber: string | undefined;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | undefined;
  readonly departmentId: string | undefined;
  readonly customFields: Record<string, string>;
  readonly hiredOn: EpochDay;
  readonly leftOn: EpochDay | undefined;
  readonly archivedOn: EpochDay | undefined;
}

/** The fields of an employee that absence rules need. */
export interface EntitledEmployee extends Pick<Employee, 'id' | 'hiredOn' | 'leftOn' | 'archivedOn'> {
  readonly entitlements: readonly Entitlement[];
}

/** As {@link EntitledEmployee}, with the version of the record, for imports that change it. */
export interface VersionedEmployee extends EntitledEmployee {
  readonly version: number;
}
