import { recordsV1 } from '@stechuhr/contracts';
import type { Department, ExportInstitution, Project, StaffMember } from '@stechuhr/exporting';
import { AppError } from '@stechuhr/kernel';
import type { AbsenceCategory } from '@stechuhr/worktime';

export function toInstitution(institution: recordsV1.Institution): ExportInstitution {
  return {
    id: institution.id,
    name: institution.name,
    federalState: institution.federalState ?? null,
    payrollClientNumber: institution.payrollClientNumber ?? null,
    absenceTypes: institution.absenceTypes.map(({ value, label, category, credited }) => {
      return { value, label, category: toCategory(category), credited };
    }),
  };
}

export function toDepartment({ id, name, costCenter }: recordsV1.Department): Department {
  return { id, name, costCenter: costCenter ?? null };
}

export function toProject({ id, name, code, client, costCenter }: recordsV1.Project): Project {
  return { id, name, code, client, costCenter };
}

export function toStaffMember(employee: recordsV1.Employee): StaffMember {
  return {
    id: employee.id,
    accountId: employee.accountId ?? null,
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

function toCategory(category: recordsV1.AbsenceCategory): AbsenceCategory {
  switch (category) {
    case recordsV1.AbsenceCategory.ABSENCE_CATEGORY_VACATION:
      return 'vacation';
    case recordsV1.AbsenceCategory.ABSENCE_CATEGORY_SICK:
      return 'sick';
    case recordsV1.AbsenceCategory.ABSENCE_CATEGORY_EDUCATION:
      return 'education';
    case recordsV1.AbsenceCategory.ABSENCE_CATEGORY_OTHER:
      return 'other';
    default:
      throw new AppError('internal', 'Internal error.', { cause: new Error(`Unknown absence category ${category}.`) });
  }
}
