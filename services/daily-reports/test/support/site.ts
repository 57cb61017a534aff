import { dailyReportsV1, type commonV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, createLogger, readStream } from '@stechuhr/service';
import { buildEmployee, buildInstitution, buildProject, buildTimespan, buildWorkday } from '@stechuhr/testing';
import { parseLocalDate } from '@stechuhr/worktime';
import { readConfig } from '../../src/config.js';
import { createContext, type Context, type ContextOverrides } from '../../src/context.js';
import type { EntryValue } from '../../src/domain/entry-value.js';
import type { Ports } from '../../src/operations/ports.js';
import { recordEntries } from '../../src/operations/record-entries.js';
import { callerOf, NO_SWEEPS, type RunningDailyReports } from './running-daily-reports.js';

type Client = dailyReportsV1.DailyReportsServiceClient;
type EmployeeLine = ReturnType<typeof buildEmployee>;
type ProjectLine = ReturnType<typeof buildProject>;
type WorkdayLine = ReturnType<typeof buildWorkday>;

/** A project with its employees, and the calls of tests on its reports. */
export interface Site {
  readonly institutionId: string;
  readonly project: ProjectLine;
  readonly max: EmployeeLine;
  readonly eva: EmployeeLine;
  readonly caller: commonV1.Caller;
  /** Returns a shift of one timespan on the project. Times are local, `MM-DDTHH:MM` of 2026. */
  shift(employee: EmployeeLine, start: string, end: string | null, comment?: string): WorkdayLine;
  /** Returns the newest entry of each group as a line: field, employee, value, and whether it is manual. */
  entries(date: string): Promise<string[]>;
  /** Counts all versions. */
  countEntries(date: string): Promise<number>;
  /** Writes an entry as an app does. */
  write(date: string, given: Pick<Written, 'employee' | 'value'> & Partial<Written>): Promise<void>;
  changeStatus(date: string, ...statuses: dailyReportsV1.ReportStatus[]): Promise<void>;
}

interface Written {
  readonly employee: EmployeeLine | null;
  readonly value: EntryValue;
  readonly burned: boolean;
  readonly authorId: string | null;
}

const { ReportPermission } = dailyReportsV1;

/** Imports a new institution, so that tests do not affect each other. */
export async function buildSite(reports: RunningDailyReports, ports: Ports): Promise<Site> {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const project = buildProject(ids);
  const max = buildEmployee({ ...ids, first_name: 'Max', last_name: 'Maurer', custom_fields: { position: 'Polier' } });
  const eva = buildEmployee({ ...ids, first_name: 'Eva', last_name: 'Estrich' });
  await reports.importRecords([institution, project, max, eva]);
  const caller = callerOf(institution.id);
  const { client } = reports;
  const list = (date: string) => listEntries(client, caller, { tags: project.id, daterange: `${date}|${date}` });
  return {
    institutionId: institution.id,
    project,
    max,
    eva,
    caller,
    shift: (employee, start, end, comment) => {
      const times = { started_at: `2026-${start}:00`, ended_at: end && `2026-${end}:00` };
      const timespans = [buildTimespan({ ...times, project_id: project.id, comment: comment ?? null })];
      return buildWorkday({ ...ids, employee_id: employee.id, date: `2026-${start.slice(0, 5)}`, ...times, timespans });
    },
    async entries(date) {
      const newest = new Map<string, dailyReportsV1.Entry>();
      for (const entry of (await list(date)).toReversed()) newest.set(`${entry.fieldId} ${entry.groupId}`, entry);
      return [...newest.values()].map(toText).sort();
    },
    countEntries: async (date) => (await list(date)).length,
    async write(date, { employee, value, burned = false, authorId = newId() }) {
      const entry = { id: newId(), fieldId: value.type, value, authorId, onBehalfOfId: employee?.id ?? null, burned };
      const draft = { ...entry, submittedAt: authorId === null ? null : 0, createdAt: 0, modifiedAt: 0 };
      const report = { tagId: project.id, date: dayOf(date) };
      await recordEntries(ports, { institutionId: institution.id }, { report, drafts: [draft] });
    },
    async changeStatus(date, ...statuses) {
      const permissions = [
        ReportPermission.REPORT_PERMISSION_EDIT,
        ReportPermission.REPORT_PERMISSION_APPROVE,
        ReportPermission.REPORT_PERMISSION_SUPERVISE,
      ];
      for (const status of statuses) {
        const request = { caller, tagId: project.id, date: dayOf(date), status, permissions, reason: 'Rückfrage' };
        await callUnary(client, client.changeStatus, request);
      }
    },
  };
}

/** Creates the context of another replica, without its servers. */
export function openContext(reports: RunningDailyReports, overrides: ContextOverrides = {}): Promise<Context> {
  return createContext(readConfig(reports.environment), createLogger('daily-reports', 'fatal'), { ...NO_SWEEPS, ...overrides });
}

export function dayOf(date: string): number {
  return parseLocalDate(date) ?? Number.NaN;
}

async function listEntries(client: Client, caller: commonV1.Caller, parameters: Record<string, string>): Promise<dailyReportsV1.Entry[]> {
  const found: dailyReportsV1.Entry[] = [];
  const request = { caller, parameters, limit: 1_000, offset: 0 };
  for await (const { entries } of readStream(client, client.listEntries, request)) found.push(...entries);
  return found;
}

function toText({ fieldId, onBehalfOfName, value, burned, authorId }: dailyReportsV1.Entry): string {
  return [burned ? 'deleted' : '', authorId === undefined ? '' : 'manual', fieldId, onBehalfOfName ?? '', saidBy(value)]
    .filter((part) => part !== '')
    .join(' ');
}

function saidBy(entry: dailyReportsV1.EntryValue | undefined): string {
  const value = entry?.value;
  switch (value?.$case) {
    case 'employeeWorkingTimes':
      return String(value.value.hours);
    case 'activities':
      return value.value.text;
    case 'weather':
      return `${value.value.time} ${String(value.value.temperature)} ${String(value.value.weatherCondition)}`;
    default:
      return '';
  }
}
