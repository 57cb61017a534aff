import { browseV1 } from '@stechuhr/contracts';
import { isUuid, pageOf } from '@stechuhr/kernel';
import { callUnary, readStream } from '@stechuhr/service';
import { sendPage } from '../http/send-page.js';
import { recordJson } from './record-json.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly browse: browseV1.BrowseServiceClient;
}

interface RecordRoutes {
  readonly path: string;
  readonly group: browseV1.RecordGroup;
  /** Of the list, and of one record. */
  readonly names: readonly [string, string];
  readonly descriptions: readonly [string, string];
}

const { RecordGroup } = browseV1;

const table: readonly RecordRoutes[] = [
  {
    path: 'employees/employees',
    group: RecordGroup.RECORD_GROUP_EMPLOYEES,
    names: ['Employees', 'Employee'],
    descriptions: ['The employees that the account may see.', 'One employee.'],
  },
  {
    path: 'employees/groups',
    group: RecordGroup.RECORD_GROUP_GROUPS,
    names: ['Departments', 'Department'],
    descriptions: ['The departments that the account may see.', 'One department.'],
  },
  {
    path: 'projects/projects',
    group: RecordGroup.RECORD_GROUP_PROJECTS,
    names: ['Projects', 'Project'],
    descriptions: ['The projects that the account may see.', 'One project.'],
  },
  {
    path: 'contracts/contracts',
    group: RecordGroup.RECORD_GROUP_CONTRACTS,
    names: ['Contracts', 'Contract'],
    descriptions: ['What employees have to work.', 'One contract.'],
  },
  {
    path: 'timestamps/workdays',
    group: RecordGroup.RECORD_GROUP_WORKDAYS,
    names: ['Workdays', 'Workday'],
    descriptions: ['Tracked shifts with their timespans.', 'One workday.'],
  },
  {
    path: 'timestamps/workmonths',
    group: RecordGroup.RECORD_GROUP_WORKMONTHS,
    names: ['Workmonths', 'Workmonth'],
    descriptions: ['The months in which employees have tracked time or a balance.', 'One month of an employee.'],
  },
  {
    path: 'timestamps/timespans',
    group: RecordGroup.RECORD_GROUP_TIMESPANS,
    names: ['Timespans', 'Timespan'],
    descriptions: ['Work and breaks inside workdays.', 'One timespan.'],
  },
  {
    path: 'timestamps/absence',
    group: RecordGroup.RECORD_GROUP_ABSENCES,
    names: ['Absences', 'Absence'],
    descriptions: ['Vacation, sickness and other absences.', 'One absence.'],
  },
  {
    path: 'timestamps/absence-applications',
    group: RecordGroup.RECORD_GROUP_ABSENCE_APPLICATIONS,
    names: ['Absence Applications', 'Absence Application'],
    descriptions: ['Absences that employees have applied for.', 'One application.'],
  },
  {
    path: 'accounts/institutions',
    group: RecordGroup.RECORD_GROUP_INSTITUTIONS,
    names: ['Institutions', 'Institution'],
    descriptions: ['The institution of the account.', 'The institution of the account.'],
  },
  {
    path: 'accounts/managers',
    group: RecordGroup.RECORD_GROUP_MANAGERS,
    names: ['Managers', 'Manager'],
    descriptions: ['The accounts of the institution; a department leader sees its own.', 'One account.'],
  },
];

/** The records that other groups name by id, to be read only. */
export function recordRoutes(dependencies: Dependencies): CallerRoute[] {
  return table.flatMap(({ path, group, names, descriptions }): CallerRoute[] => {
    const listPath = `${BASE_PATH}${path}/`;
    const asked = { ...dependencies, group, listPath };
    return [
      {
        path: listPath,
        name: names[0],
        description: descriptions[0],
        authenticated: true,
        group: path,
        operations: { GET: { jsonOnly: true, handle: (exchange) => listRecords(asked, exchange) } },
      },
      {
        path: `${listPath}:id/`,
        matches: ({ id }) => typeof id === 'string' && isUuid(id),
        name: names[1],
        description: descriptions[1],
        authenticated: true,
        operations: { GET: { jsonOnly: true, handle: (exchange) => answerRecord(asked, exchange) } },
      },
    ];
  });
}

interface Asked extends Dependencies {
  readonly group: browseV1.RecordGroup;
  readonly listPath: string;
}

async function listRecords({ browse, group, listPath }: Asked, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal, query, publicBase } = exchange;
  const page = pageOf(query.limit, query.offset);
  const request = { caller: principal.caller, group, parameters: query, ...page };
  const messages = readStream(browse, browse.listRecords, request, { signal });
  const results = ({ records }: browseV1.ListRecordsResponse) => records.map(recordJson);
  await sendPage(response, { address: publicBase + listPath, query, ...page, messages, results, signal });
}

async function answerRecord({ browse, group }: Asked, { request, response, signal, principal }: CallerExchange): Promise<void> {
  const message = { caller: principal.caller, group, id: String(request.params.id) };
  const { record } = await callUnary(browse, browse.getRecord, message, { signal, idempotent: true });
  response.json(recordJson(record));
}
