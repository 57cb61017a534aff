import { readReportsQuery, type ReportsQuery } from '@stechuhr/contracts';
import { pageRoom, type Page, type PageRequest } from '@stechuhr/kernel';
import { parseLocalDate } from '@stechuhr/worktime';
import { bytesOfDescription, formFingerprint, type Description } from '../domain/description.js';
import type { EntryValue } from '../domain/entry-value.js';
import { activeForm, type Form } from '../domain/form.js';
import { reportId, type DayBounds, type ReportKey, type ReportStatus } from '../domain/report.js';
import type { Call, Employee, Project } from './ports.js';
import type { StoredReport } from './report-port.js';
import { settleMarked, settleReports } from './settle-reports.js';

export interface ListRequest extends PageRequest {
  /** The query parameters as the client sent them. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A report with all fields of lists. */
export interface ListedReport extends ReportKey {
  readonly status: ReportStatus;
  readonly project: Project | undefined;
  readonly description: Description;
  readonly employees: readonly Pick<Employee, 'id' | 'firstName' | 'lastName'>[];
  readonly values: readonly EntryValue[];
}

const NOTHING: Page<ListedReport> = { count: 0, results: [] };

/**
 * Returns a page of the reports that the caller may see. The number of queries does not depend on the number of reports.
 *
 * @throws AppError `invalid` naming the invalid parameters
 */
export async function listReports(call: Call, { parameters, limit, offset }: ListRequest): Promise<Page<ListedReport>> {
  const query = readReportsQuery(parameters);
  if (query === undefined) return NOTHING;
  const [projects] = await Promise.all([selectedProjects(call, query), settleMarked(call, call.caller)]);
  if (projects.size === 0) return NOTHING;
  const page = {
    projectIds: [...projects.keys()],
    range: daysOf(query.range),
    statuses: query.statuses,
    ascending: query.order[0]?.descending === false,
    limit,
    offset,
  };
  const [{ count, results }, forms] = await Promise.all([call.reports.page(call.caller, page), call.forms.list(call.caller)]);
  const descriptions = await currentDescriptions(call, results, forms);
  return { count, results: await resolve(call, results, { projects, descriptions }) };
}

async function selectedProjects({ records }: Call, { projectIds }: ReportsQuery): Promise<ReadonlyMap<string, Project>> {
  const visible = await records.listProjects();
  const ids = projectIds && new Set(projectIds);
  const selected = ids === undefined ? visible : visible.filter(({ id }) => ids.has(id));
  return new Map(selected.map((project) => [project.id, project]));
}

/** Returns the descriptions, and recomputes those that were computed with another form. */
async function currentDescriptions(
  call: Call,
  reports: readonly StoredReport[],
  forms: readonly Form[],
): Promise<ReadonlyMap<string, Description>> {
  const old = reports.filter(({ date, formFingerprint: known }) => known !== formFingerprint(activeForm(forms, date)));
  const described = new Map<string, Description>();
  const take = pageRoom();
  await settleReports(call, call.caller, old, {
    onDescribed(report, description) {
      take(bytesOfDescription(description));
      described.set(reportId(report), description);
    },
  });
  return new Map(reports.map((report) => [reportId(report), described.get(reportId(report)) ?? report.description]));
}

interface Resolved {
  readonly projects: ReadonlyMap<string, Project>;
  readonly descriptions: ReadonlyMap<string, Description>;
}

async function resolve(call: Call, reports: readonly StoredReport[], { projects, descriptions }: Resolved): Promise<ListedReport[]> {
  const all = [...descriptions.values()];
  const employeeIds = new Set(all.flatMap(({ employees }) => employees.map(({ id }) => id)));
  const signatureIds = all.flatMap(({ newest }) => newest.filter(({ value }) => value.type === 'signature').map(({ id }) => id));
  const [employees, signatures] = await Promise.all([
    employeeIds.size === 0 ? new Map<string, Employee>() : call.records.readEmployees([...employeeIds]),
    signatureIds.length === 0 ? undefined : call.entries.find(call.caller, signatureIds),
  ]);
  return reports.flatMap((report) => {
    const description = descriptions.get(reportId(report));
    if (description === undefined) return [];
    const { tagId, date, status } = report;
    return {
      tagId,
      date,
      status,
      project: projects.get(tagId),
      description,
      employees: namesOf(description, employees),
      values: description.newest.map(({ id, value }) => signatures?.get(id)?.value ?? value),
    };
  });
}

/** The collation of lists of employees (docs/rules/exports.md#order). */
const german = new Intl.Collator('de');

/** Returns the employees of a report, sorted. A deleted employee keeps the name with which the hours were written. */
function namesOf({ employees }: Description, known: ReadonlyMap<string, Employee>): ListedReport['employees'] {
  const named = employees.map(({ id, name }) => known.get(id) ?? { id, firstName: '', lastName: name });
  return named.sort((a, b) => german.compare(a.lastName, b.lastName) || german.compare(a.firstName, b.firstName) || (a.id < b.id ? -1 : 1));
}

function daysOf({ from, until }: { readonly from: string | undefined; readonly until: string | undefined }): DayBounds {
  return { from: from === undefined ? undefined : parseLocalDate(from), until: until === undefined ? undefined : parseLocalDate(until) };
}
