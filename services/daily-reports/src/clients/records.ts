import { browseV1, commonV1, type recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { readInstitution, toWorkday } from '@stechuhr/records-client';
import { callUnary, readStream } from '@stechuhr/service';
import type { CallerRecords, Employee, People, Project, Tenant } from '../operations/ports.js';

/** The gRPC clients of the records service. */
export interface RecordsClients {
  readonly records: recordsV1.RecordsServiceClient;
  readonly browse: browseV1.BrowseServiceClient;
}

const { RecordGroup } = browseV1;

/** The page size limit of the records service. */
const IDS_A_CALL = 1_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The records service for one caller. Calls end when the signal aborts. */
export function callerRecords({ records, browse }: RecordsClients, caller: commonV1.Caller, signal: AbortSignal): CallerRecords {
  return {
    ...people(browse, caller, signal),
    async findProject(id) {
      const request = { caller, group: RecordGroup.RECORD_GROUP_PROJECTS, id };
      const { record } = await callUnary(browse, browse.getRecord, request, { signal, idempotent: true }).catch(nothing);
      const project = record?.record?.$case === 'project' ? record.record.value : undefined;
      return project?.dailyReportsEnabled === true ? toProject(project) : undefined;
    },
    async listProjects() {
      const found: Project[] = [];
      for await (const { projects } of readStream(records, records.listProjects, { caller }, { signal })) {
        for (const project of projects) if (project.dailyReportsEnabled) found.push(toProject(project));
      }
      return found;
    },
    readInstitutionName: async () => (await readInstitution(records, caller, signal)).name,
    async readProjectDay({ tagId: projectId, date: day }) {
      const tracked = [];
      for await (const { employees } of readStream(records, records.readProjectDay, { caller, projectId, day }, { signal })) {
        for (const { employeeId, workmonths } of employees)
          tracked.push({ employeeId, workdays: workmonths.flatMap(({ workdays }) => workdays.map(toWorkday)) });
      }
      return tracked;
    },
  };
}

function toProject({ id, name, code, color, address, costCenter, client }: recordsV1.Project): Project {
  return { id, name, code, color, address, costCenter, client };
}

function nothing(caught: unknown): browseV1.GetRecordResponse {
  if (caught instanceof AppError && caught.code === 'not_found') return { record: undefined };
  throw caught;
}

/** Returns a caller that sees the whole institution and has no account. */
export function wholeInstitution({ institutionId }: Tenant): commonV1.Caller {
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  return { institutionId, accountId: NOBODY, visibility };
}

/**
 * Reads names of people, without the rest of their records, which may be larger than a page. A caller who sees a report sees the names in it, regardless of the account's visibility, so they are read with the
 * visibility of the whole institution.
 */
export function people(client: browseV1.BrowseServiceClient, tenant: Tenant, signal: AbortSignal | undefined): People {
  const caller = wholeInstitution(tenant);
  const read = async function* (group: browseV1.RecordGroup, ids: readonly string[]) {
    for (let at = 0; at < ids.length; at += IDS_A_CALL) {
      const parameters = { ids: ids.slice(at, at + IDS_A_CALL).join('|') };
      const request = { caller, group, parameters, limit: IDS_A_CALL, offset: 0, brief: true };
      for await (const { records } of readStream(client, client.listRecords, request, { ...(signal && { signal }) })) yield* records;
    }
  };
  return {
    async readEmployees(ids) {
      const employees = new Map<string, Employee>();
      for await (const { record } of read(RecordGroup.RECORD_GROUP_EMPLOYEES, ids)) {
        const employee = record?.$case === 'employee' ? record.value.employee : undefined;
        if (employee !== undefined) employees.set(employee.id, toEmployee(employee));
      }
      return employees;
    },
    async readAccountNames(ids) {
      const names = new Map<string, string>();
      for await (const { record } of read(RecordGroup.RECORD_GROUP_MANAGERS, ids)) {
        const account = record?.$case === 'manager' ? record.value.account : undefined;
        if (account !== undefined) names.set(account.id, `${account.firstName} ${account.lastName}`);
      }
      return names;
    },
  };
}

function toEmployee({ id, accountId, firstName, lastName, customFields }: recordsV1.Employee): Employee {
  return { id, accountId: accountId ?? null, firstName, lastName, position: customFields.position ?? '' };
}
