import type { recordsV1 } from '@stechuhr/contracts';
import type { Department, Project, StaffMember } from '@stechuhr/exporting';

export function toDepartment({ id, name, costCenter }: recordsV1.Department): Department {
  return { id, name, costCenter: costCenter ?? null };
}

export function toProject({ id, name, code, client, costCenter }: recordsV1.Project): Project {
  return { id, name, code, client, costCenter };
}

export function toStaffMember(employee: recordsV1.Employee): StaffMember {
  return {
    id: employee.id,
    number: employee.number,
    accountingNumber: employee.accountingNumber ?? null,
    firstName: employee.firstName,
    lastName: employee.lastName,
    email: employee.email ?? null,
    departmentId: employee.departmentId ?? null,
    customFields: employee.customFields,
    hiredOn: employee.hiredOn,
    leftOn: employee.leftOn ?? null,
    archivedOn: employee.archivedOn ?? null,
  };
}
