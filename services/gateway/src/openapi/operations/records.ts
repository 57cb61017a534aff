import { recordGroups, type RecordGroupName } from '@stechuhr/contracts';
import type { z } from 'zod';
import { json, type OperationDoc, type OperationDocs } from '../operation-doc.js';
import { idInPath, recordParameters } from '../parameters.js';
import { pageExample, pageOf } from '../schemas/values.js';
import { recordExamples } from './record-examples.js';
import * as schemas from '../schemas/records.js';

interface Described {
  readonly path: string;
  /** One and several of them, as operation ids name them. */
  readonly names: readonly [string, string];
  readonly what: readonly [string, string];
  readonly schema: z.ZodType;
  readonly note?: string;
}

const groups: { readonly [G in RecordGroupName]: Described } = {
  employees: {
    path: '/employees/employees/',
    names: ['Employee', 'Employees'],
    what: ['employee', 'employees'],
    schema: schemas.employee,
    note: 'Department leaders see the employees of their own departments.',
  },
  groups: {
    path: '/employees/groups/',
    names: ['Department', 'Departments'],
    what: ['department', 'departments'],
    schema: schemas.department,
    note: 'Exports take their ids as `employee_group_ids`. Department leaders see their own departments.',
  },
  projects: {
    path: '/projects/projects/',
    names: ['Project', 'Projects'],
    what: ['project', 'projects'],
    schema: schemas.project,
    note: 'Only projects that the account may see.',
  },
  contracts: { path: '/contracts/contracts/', names: ['Contract', 'Contracts'], what: ['contract', 'contracts'], schema: schemas.contract },
  workdays: { path: '/timestamps/workdays/', names: ['Workday', 'Workdays'], what: ['workday', 'workdays'], schema: schemas.workday },
  workmonths: {
    path: '/timestamps/workmonths/',
    names: ['Workmonth', 'Workmonths'],
    what: ['workmonth', 'workmonths'],
    schema: schemas.workmonth,
    note: 'A month is created with its first workday.',
  },
  timespans: {
    path: '/timestamps/timespans/',
    names: ['Timespan', 'Timespans'],
    what: ['timespan', 'timespans'],
    schema: schemas.timespan,
  },
  absences: { path: '/timestamps/absence/', names: ['Absence', 'Absences'], what: ['absence', 'absences'], schema: schemas.absence },
  'absence-applications': {
    path: '/timestamps/absence-applications/',
    names: ['AbsenceApplication', 'AbsenceApplications'],
    what: ['absence application', 'absence applications'],
    schema: schemas.absenceApplication,
  },
  institutions: {
    path: '/accounts/institutions/',
    names: ['Institution', 'Institutions'],
    what: ['institution', 'institutions'],
    schema: schemas.institution,
    note: 'There is exactly one, that of the token.',
  },
  managers: {
    path: '/accounts/managers/',
    names: ['Manager', 'Managers'],
    what: ['account', 'accounts'],
    schema: schemas.manager,
    note: 'Department leaders see only their own account.',
  },
};

/** The read-only groups, all alike. */
export const recordDocs: OperationDocs = Object.fromEntries(
  Object.entries(groups).flatMap(([name, described]) => docsOf(name as RecordGroupName, described)),
);

function docsOf(name: RecordGroupName, { path, names, what, schema, note }: Described): [string, OperationDoc][] {
  const sample = recordExamples[name];
  const more = note === undefined ? '' : ` ${note}`;
  const list: OperationDoc = {
    id: `list${names[1]}`,
    summary: `List ${what[1]}`,
    description: `Sorted by ${recordGroups[name].defaultOrder}, unless \`order\` is given.${more}`,
    query: recordParameters(name, sample.id),
    answers: { 200: { description: 'One page.', content: json(pageOf(schema), pageExample(sample)) } },
    problems: { $query: ['"color" is not a valid ordering field.'] },
  };
  const detail: OperationDoc = {
    id: `get${names[0]}`,
    summary: `Get one ${what[0]}`,
    description: `The ${what[0]} with all its fields.${more}`,
    path: idInPath(`Id of the ${what[0]}.`, sample.id),
    answers: { 200: { description: `The ${what[0]}.`, content: json(schema, sample) } },
  };
  return [
    [`GET ${path}`, list],
    [`GET ${path}{id}/`, detail],
  ];
}
