import { commonV1, type dailyReportsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, openBidi, readStream } from '@stechuhr/service';
import { buildAccount, buildEmployee, buildInstitution, buildProject } from '@stechuhr/testing';
import { formatLocalDate, parseLocalDate } from '@stechuhr/worktime';
import type { RunningDailyReports } from './running-daily-reports.js';

type Client = dailyReportsV1.DailyReportsServiceClient;
export type Line = Readonly<Record<string, unknown>>;

export interface ImportOutcome {
  readonly accepted: Readonly<Record<string, number>>;
  /** `<line> <kind>: <reason>` */
  readonly rejected: readonly string[];
}

/** The arguments of a list in addition to its parameters. */
interface PageTerms {
  readonly limit?: number;
  readonly offset?: number;
  readonly caller?: commonV1.Caller;
}

/** A new institution with two projects, two authors and two employees, and the calls of tests on its reports. */
export interface Organization {
  readonly institutionId: string;
  readonly caller: commonV1.Caller;
  readonly site: string;
  readonly otherSite: string;
  readonly ada: string;
  readonly ben: string;
  readonly max: string;
  readonly eva: string;
  /** Returns an entry line on 2026-03-02 on the site; by default a comment by Ada. */
  entry(given?: Line): Line;
  form(validFrom: string, fields: readonly Line[], given?: Line): Line;
  status(status: string, given?: Line): Line;
  import(lines: readonly Line[]): Promise<ImportOutcome>;
  /** Returns what an import of the lines would return, without writing anything. */
  check(lines: readonly Line[]): Promise<ImportOutcome>;
  /** Imports lines that must be accepted. */
  record(...lines: readonly Line[]): Promise<void>;
  entries(
    parameters?: Record<string, string>,
    terms?: PageTerms,
  ): Promise<{ readonly count: number; readonly entries: dailyReportsV1.Entry[] }>;
  reports(
    parameters?: Record<string, string>,
    terms?: PageTerms,
  ): Promise<{ readonly count: number; readonly reports: dailyReportsV1.Report[] }>;
  statusOf(date?: string): Promise<dailyReportsV1.ReportStatus>;
}

export async function openOrganization(running: RunningDailyReports, more: readonly object[] = []): Promise<Organization> {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const [site, otherSite] = [buildProject({ ...ids, code: 'S-1' }), buildProject({ ...ids, code: 'S-2' })];
  const [ada, ben] = [buildAccount({ ...ids, first_name: 'Ada' }), buildAccount({ ...ids, first_name: 'Ben', last_name: 'Bauer' })];
  const max = buildEmployee({ ...ids, first_name: 'Max', last_name: 'Maurer', account_id: ben.id, custom_fields: { position: 'Polier' } });
  const eva = buildEmployee({ ...ids, first_name: 'Eva', last_name: 'Estrich' });
  await running.importRecords([institution, site, otherSite, ada, ben, max, eva, ...more.map((line) => ({ ...line, ...ids }))]);
  const { client } = running;
  const caller = callerIn(institution.id);
  const importInto = (lines: readonly Line[]) => importLines(client, lines);
  return {
    institutionId: institution.id,
    caller,
    site: site.id,
    otherSite: otherSite.id,
    ada: ada.id,
    ben: ben.id,
    max: max.id,
    eva: eva.id,
    entry: (given = {}) => {
      const place = { tag_id: site.id, date: '2026-03-02', field_id: 'comments', author_id: ada.id };
      const value = 'field_id' in given ? {} : { value: 'Regen bis mittags' };
      return { kind: 'daily_report_entry', ...ids, id: newId(), ...place, ...value, ...given };
    },
    form: (validFrom, fields, given = {}) => ({ kind: 'daily_report_form', ...ids, id: newId(), valid_from: validFrom, fields, ...given }),
    status: (status, given = {}) => {
      const place = { tag_id: site.id, date: '2026-03-02', actor_id: ada.id, at: '2026-03-02T18:00:00' };
      return { kind: 'daily_report_status', ...ids, id: newId(), ...place, status, ...given };
    },
    import: importInto,
    check: (lines) => checkLines(client, lines),
    async record(...lines) {
      const { rejected } = await importInto(lines);
      if (rejected.length > 0) throw new Error(rejected.join('\n'));
    },
    entries: (parameters = {}, { caller: as = caller, limit = 100, offset = 0 } = {}) =>
      collectEntries(client, { caller: as, parameters, limit, offset }),
    reports: (parameters = {}, { caller: as = caller, limit = 100, offset = 0 } = {}) =>
      collectReports(client, { caller: as, parameters, limit, offset }),
    async statusOf(date = '2026-03-02') {
      return (await callUnary(client, client.getStatus, { caller, parameters: { tag: site.id, date } })).status;
    },
  };
}

/** Returns a caller of an institution; by default an administrator. */
export function callerIn(institutionId: string, given: Partial<commonV1.Visibility> = {}): commonV1.Caller {
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined, ...given };
  return { institutionId, accountId: newId(), visibility };
}

export function dayOf(date: string): number {
  return parseLocalDate(date) ?? Number.NaN;
}

/** Returns the shortest text that distinguishes entries: `<date> <field> <value>`. */
export function shown({ date, fieldId, value, burned }: dailyReportsV1.Entry): string {
  return [formatLocalDate(date), fieldId, saidBy(value), ...(burned ? ['deleted'] : [])].join(' ');
}

export function saidBy(entry: dailyReportsV1.EntryValue | undefined): string {
  const value = entry?.value;
  switch (value?.$case) {
    case 'weather':
      return `${value.value.time} ${String(value.value.temperature)} ${String(value.value.weatherCondition)}`;
    case 'employeeWorkingTimes':
      return `${value.value.employeeName} ${String(value.value.hours)}`;
    case 'subcontractors':
      return `${value.value.name} ${String(value.value.employees)}`;
    case 'activities':
      return value.value.text;
    case 'string':
      return value.value.value;
    case 'image':
      return value.value.imageId;
    case 'signature':
      return value.value.image.slice(0, 15);
    default:
      return '';
  }
}

type Message = Pick<dailyReportsV1.ImportResponse, 'event'>;

function importLines(client: Client, lines: readonly Line[]): Promise<ImportOutcome> {
  const { write, end, responses } = openBidi<dailyReportsV1.ImportRequest, dailyReportsV1.ImportResponse>(client, client.import);
  return outcomeOf(write({ lines: numbered(lines) }).then(end), responses);
}

function checkLines(client: Client, lines: readonly Line[]): Promise<ImportOutcome> {
  const { write, end, responses } = openBidi<dailyReportsV1.CheckImportRequest, dailyReportsV1.CheckImportResponse>(
    client,
    client.checkImport,
  );
  return outcomeOf(write({ lines: numbered(lines), records: [] }).then(end), responses);
}

function numbered(lines: readonly Line[]) {
  return lines.map((line, at) => ({ file: '-', line: at + 1, json: JSON.stringify(line) }));
}

async function outcomeOf(written: Promise<void>, responses: AsyncIterable<Message>): Promise<ImportOutcome> {
  await written;
  const rejected: string[] = [];
  for await (const { event } of responses) {
    if (event?.$case === 'rejected') rejected.push(`${String(event.value.line)} ${event.value.kind ?? '?'}: ${event.value.reason}`);
    if (event?.$case === 'summary') return { accepted: event.value.accepted, rejected };
  }
  throw new Error('There was no summary.');
}

async function collectEntries(client: Client, request: dailyReportsV1.ListEntriesRequest) {
  const entries: dailyReportsV1.Entry[] = [];
  let count = 0;
  for await (const message of readStream(client, client.listEntries, request)) {
    count = message.count;
    entries.push(...message.entries);
  }
  return { count, entries };
}

async function collectReports(client: Client, request: dailyReportsV1.ListReportsRequest) {
  const reports: dailyReportsV1.Report[] = [];
  let count = 0;
  for await (const message of readStream(client, client.listReports, request)) {
    count = message.count;
    reports.push(...message.reports);
  }
  return { count, reports };
}
