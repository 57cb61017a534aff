import { withDatabase } from './stored-months.js';

/** Master data of an employee, for variants that do not use the platform. */
export interface EmployeeFacts {
  readonly id: string;
  readonly number: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly department: string;
  readonly costCenter: string;
}

interface EmployeeDocument {
  readonly _id: string;
  readonly number: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly department_id: string;
}

interface DepartmentDocument {
  readonly _id: string;
  readonly name: string;
  readonly cost_center: string;
}

const german = new Intl.Collator('de');

/** Compares in the order of exports (docs/rules/exports.md): last name and first name by German collation, then number by code points. */
export function byName(a: EmployeeFacts, b: EmployeeFacts): number {
  return german.compare(a.lastName, b.lastName) || german.compare(a.firstName, b.firstName) || (a.number < b.number ? -1 : 1);
}

/** Returns the employees of a firm in the order of exports. */
export function employeesInOrder(mongodbUrl: string, institution_id: string): Promise<readonly EmployeeFacts[]> {
  return withDatabase(mongodbUrl, 'records', async ({ connection }) => {
    const departments = await connection.collection<DepartmentDocument>('departments').find({ institution_id }).toArray();
    const byId = new Map(departments.map((department) => [department._id, department]));
    const employees = await connection.collection<EmployeeDocument>('employees').find({ institution_id }).toArray();
    const facts = employees.map(({ _id, number, first_name, last_name, department_id }) => {
      const department = byId.get(department_id);
      const place = { department: department?.name ?? '', costCenter: department?.cost_center ?? '' };
      return { id: _id, number, firstName: first_name, lastName: last_name, ...place };
    });
    return facts.toSorted(byName);
  });
}
