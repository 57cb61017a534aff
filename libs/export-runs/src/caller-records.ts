import { commonV1, type recordsV1 } from '@stechuhr/contracts';
import { readInstitution } from '@stechuhr/records-client';
import { readStream, RUN_STALL_MS } from '@stechuhr/service';
import type { Department } from '@stechuhr/exporting';
import { directoryRoom, type Reserve } from './directory-room.js';
import type { CallerRecords } from './sources.js';
import { toDepartment, toProject, toStaffMember } from './master-data.js';
import { toRecordParts, toStaffRecords } from './time-records.js';

const MASTER_DATA_DEADLINE_MS = 10_000;

type RecordsClient = recordsV1.RecordsServiceClient;

/** Reads records on behalf of a caller; the calls end when the signal aborts. */
export function callerRecords(client: RecordsClient, caller: commonV1.Caller, signal: AbortSignal, reserve: Reserve): CallerRecords {
  const short = { signal, deadlineMs: MASTER_DATA_DEADLINE_MS };
  return {
    async readDirectory({ projects, customFields }) {
      const employees = { caller, customFields: { names: [...customFields] } };
      const take = directoryRoom({ projects, customFields }, reserve);
      const [institution, departments, staff, projectList] = await Promise.all([
        readInstitution(client, caller, signal),
        collect(readStream(client, client.listDepartments, { caller }, short), (message) => message.departments.map(toDepartment), take),
        collect(readStream(client, client.listEmployees, employees, short), (message) => message.employees.map(toStaffMember), take),
        projects
          ? collect(readStream(client, client.listProjects, { caller }, short), (message) => message.projects.map(toProject), take)
          : [],
      ]);
      return { institution, staff, departments: byId(visibleTo(caller, departments)), projects: byId(projectList) };
    },
    async *readTimeRecords(staff, parts) {
      if (staff.length === 0) return;
      const { first: fromDay, last: toDay } = parts.days;
      // Before the first message, the beginnings of all overtime accounts are looked up.
      const options = { signal, ...(parts.openingBalances && { stallMs: RUN_STALL_MS }) };
      const request = { caller, employeeIds: staff.map(({ id }) => id), fromDay, toDay, parts: toRecordParts(parts) };
      for await (const { employees } of readStream(client, client.readTimeRecords, request, options)) {
        for (const employee of employees) yield toStaffRecords(employee);
      }
    },
  };
}

/** Hides all departments that a department leader does not lead, since none of their employees is visible either. */
function visibleTo({ visibility }: commonV1.Caller, departments: readonly Department[]): readonly Department[] {
  if (visibility?.role !== commonV1.Role.ROLE_DEPARTMENT_LEADER) return departments;
  const led = new Set(visibility.departmentIds);
  return departments.filter(({ id }) => led.has(id));
}

/** @param take is called with each record before the next one is read */
async function collect<Message, Domain extends object>(
  messages: AsyncIterable<Message>,
  itemsOf: (message: Message) => readonly Domain[],
  take: (item: Domain) => void,
): Promise<Domain[]> {
  const collected: Domain[] = [];
  for await (const message of messages) {
    for (const item of itemsOf(message)) {
      take(item);
      collected.push(item);
    }
  }
  return collected;
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
