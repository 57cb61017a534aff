import {
  buildAbsence,
  buildAccount,
  buildContract,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
} from '@stechuhr/testing';

type Line<Build extends (given: never) => object> = ReturnType<Build>;
type Fields<Build extends (given: never) => object> = Partial<Line<Build>>;

/** A workday with a single work timespan from `start` to `end` (HH:MM). */
export interface Shift {
  readonly date: string;
  readonly start: string;
  readonly end: string;
  readonly comment?: string;
}

/** Creates the import lines of an institution. Ids are derived from numbers, by which tests refer to records. */
export class Organization {
  constructor(private readonly number: number) {}

  id(n: number): string {
    return `${this.number.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  }

  institution(fields: Fields<typeof buildInstitution> = {}): Line<typeof buildInstitution> {
    return buildInstitution({ ...this.ids(0), ...fields });
  }

  account(n: number, role: 'admin' | 'manager' | 'department_leader', departments: readonly number[] = []): Line<typeof buildAccount> {
    return buildAccount({ ...this.ids(n), role, department_ids: departments.map((department) => this.id(department)) });
  }

  department(n: number, name: string): Line<typeof buildDepartment> {
    return buildDepartment({ ...this.ids(n), name });
  }

  employee(n: number, first_name: string, last_name: string, fields: Fields<typeof buildEmployee> = {}): Line<typeof buildEmployee> {
    return buildEmployee({ ...this.ids(n), number: String(n), first_name, last_name, ...fields });
  }

  contract(n: number, employee: number): Line<typeof buildContract> {
    return buildContract({ ...this.ids(n), employee_id: this.id(employee) });
  }

  project(n: number, code: string): Line<typeof buildProject> {
    return buildProject({ ...this.ids(n), code });
  }

  shift(n: number, employee: number, { date, start, end, comment }: Shift): Line<typeof buildWorkday> {
    const times = { started_at: `${date}T${start}:00`, ended_at: `${date}T${end}:00` };
    const timespans = [buildTimespan({ ...times, id: this.id(n + 0x1_000_000), comment: comment ?? null })];
    return buildWorkday({ ...this.ids(n), employee_id: this.id(employee), date, ...times, timespans });
  }

  absence(n: number, employee: number, fields: Fields<typeof buildAbsence>): Line<typeof buildAbsence> {
    return buildAbsence({ ...this.ids(n), employee_id: this.id(employee), ...fields });
  }

  private ids(n: number) {
    return { id: this.id(n), institution_id: this.id(0) };
  }
}
