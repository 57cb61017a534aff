import { browseV1, type commonV1, type recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { toWorkday } from '@stechuhr/records-client';
import { callUnary, readStream } from '@stechuhr/service';
import type { CallerRecords, Project } from '../operations/ports.js';
import { people } from './people.js';

/** The records service, as its two groups of calls. */
export interface RecordsClients {
  readonly records: recordsV1.RecordsServiceClient;
  readonly browse: browseV1.BrowseServiceClient;
}

const { RecordGroup } = browseV1;

/** The records service as one caller sees it; its calls end when the signal aborts. */
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
    async readInstitutionName() {
      const { institution } = await callUnary(records, records.getInstitution, { caller }, { signal, idempotent: true });
      if (institution === undefined)
        throw new AppError('internal', 'Internal error.', { cause: new Error('No institution in the answer.') });
      return institution.name;
    },
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
