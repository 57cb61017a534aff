import { browseV1, commonV1, recordsV1 } from '@stechuhr/contracts';
import { z } from 'zod';
import { example } from '../openapi/parameters.js';
import { field, listField, present, shapeOf, wordFor } from '../openapi/shape.js';
import { flag, text, uuid, word } from '../openapi/values.js';
import { recordGroup } from './group.js';

const { RecordGroup } = browseV1;
const { AbsenceCategory } = recordsV1;
const { Role } = commonV1;

export const departments = recordGroup({
  name: 'groups',
  wireGroup: RecordGroup.RECORD_GROUP_GROUPS,
  path: 'employees/groups',
  titles: ['Department', 'Departments'],
  descriptions: ['One department.', 'The departments that the account may see.'],
  note: 'Exports accept ids of departments in `employee_group_ids`. Department leaders see only their own departments.',
  $case: 'department',
  from: (department) => department,
})({
  id: field(uuid('Id.'), example.department, ({ id }) => id),
  name: field(text('Name.'), 'Hochbau', ({ name }) => name),
  cost_center: field(text('Cost center.').nullable(), '2000', ({ costCenter }) => costCenter ?? null),
});

export const projects = recordGroup({
  name: 'projects',
  wireGroup: RecordGroup.RECORD_GROUP_PROJECTS,
  path: 'projects/projects',
  titles: ['Project', 'Projects'],
  descriptions: ['One project.', 'The projects that the account may see.'],
  note: 'Only projects that the account may see are available.',
  $case: 'project',
  from: (project) => project,
})({
  id: field(uuid('Id of the project. Daily reports call it `tag_id`.'), example.project, ({ id }) => id),
  name: field(text('Name.'), 'Neubau Kindertagesstätte Lindenweg', ({ name }) => name),
  code: field(text('Short name, or empty.'), 'HB-101', ({ code }) => code),
  color: field(text('Color, or empty.'), '#2f6fb0', ({ color }) => color),
  address: field(text('Address of the site, or empty.'), 'Lindenweg 14, 93055 Regensburg', ({ address }) => address),
  cost_center: field(text('Cost center, or empty.'), '20101', ({ costCenter }) => costCenter),
  client: field(text('Client, or empty.'), 'Zweckverband Kinderbetreuung Donautal', ({ client }) => client),
  daily_reports_enabled: field(
    flag('Whether daily reports are enabled for the project.'),
    true,
    ({ dailyReportsEnabled }) => dailyReportsEnabled,
  ),
  archived: field(flag('Whether the project is archived.'), false, ({ archived }) => archived),
});

const categories = {
  [AbsenceCategory.ABSENCE_CATEGORY_VACATION]: 'vacation',
  [AbsenceCategory.ABSENCE_CATEGORY_SICK]: 'sick',
  [AbsenceCategory.ABSENCE_CATEGORY_EDUCATION]: 'education',
  [AbsenceCategory.ABSENCE_CATEGORY_OTHER]: 'other',
};

const absenceType = shapeOf<recordsV1.AbsenceType>({
  value: field(text('Value of the field `missing_type` of absences. It is also a row type of exports.'), 'vacation', ({ value }) => value),
  label: field(text('German name.'), 'Urlaub', ({ label }) => label),
  category: field(
    word(['vacation', 'sick', 'education', 'other'], 'Category of the absence type in payroll.'),
    'vacation',
    ({ category }) => wordFor(categories, category),
  ),
  credited: field(flag('Whether the hours of such absences are credited.'), true, ({ credited }) => credited),
});

export const institutions = recordGroup({
  name: 'institutions',
  wireGroup: RecordGroup.RECORD_GROUP_INSTITUTIONS,
  path: 'accounts/institutions',
  titles: ['Institution', 'Institutions'],
  descriptions: ['The institution of the account.', 'The institution of the account.'],
  note: 'There is exactly one: the institution of the token.',
  $case: 'institution',
  from: (institution) => institution,
})({
  id: field(uuid('Id.'), example.institution, ({ id }) => id),
  name: field(text('Name.'), 'Rauscher & Söhne Bau GmbH', ({ name }) => name),
  federal_state: field(
    text('ISO 3166-2 code, for example `DE-BY`; null means that only nationwide holidays count.').nullable(),
    'DE-BY',
    ({ federalState }) => federalState ?? null,
  ),
  payroll_client_number: field(
    text('Client number in payroll, written as `MDNr` by payroll exports.').nullable(),
    '40441',
    ({ payrollClientNumber }) => payrollClientNumber ?? null,
  ),
  absence_types: listField(absenceType, ({ absenceTypes }) => absenceTypes),
});

const roles = {
  [Role.ROLE_ADMIN]: 'admin',
  [Role.ROLE_MANAGER]: 'manager',
  [Role.ROLE_DEPARTMENT_LEADER]: 'department_leader',
};

export const managers = recordGroup({
  name: 'managers',
  wireGroup: RecordGroup.RECORD_GROUP_MANAGERS,
  path: 'accounts/managers',
  titles: ['Manager', 'Managers'],
  nouns: ['account', 'accounts'],
  descriptions: ['One account.', 'The accounts of the institution. Department leaders see only their own account.'],
  note: 'Department leaders see only their own account.',
  $case: 'manager',
  from: ({ account, email }) => {
    const { visibility, ...names } = present(account, 'account');
    return { ...names, ...present(visibility, 'visibility'), email };
  },
})({
  id: field(uuid('Id of the account.'), example.account, ({ id }) => id),
  first_name: field(text('First name.'), 'Elisabeth', ({ firstName }) => firstName),
  last_name: field(text('Last name.'), 'Rauscher', ({ lastName }) => lastName),
  email: field(text('Email address.'), 'elisabeth.rauscher@rauscher-bau.example', ({ email }) => email),
  role: field(
    word(
      ['admin', 'manager', 'department_leader'],
      'Role of the account. Administrators and managers see all employees, department leaders only those of their departments.',
    ),
    'admin',
    ({ role }) => wordFor(roles, role),
  ),
  department_ids: field(
    z.array(uuid('Id of the department.')).meta({ description: 'Ids of the departments that a department leader sees.' }),
    [],
    ({ departmentIds }) => departmentIds,
  ),
  project_ids: field(
    z.array(uuid('Id of the project.')).nullable().meta({ description: 'Ids of the projects that the account sees; null means all.' }),
    null,
    ({ projects: some }) => some?.projectIds ?? null,
  ),
});
