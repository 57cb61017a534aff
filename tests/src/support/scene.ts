import { commentLine } from './daily-reports.js';
import { call, query, type Answer } from './http.js';
import { Organization } from './organization.js';
import type { UsedPlatform } from './platform.js';
import { sampleOrganization } from './sample-organization.js';

const [OTHER_OFFICE, LEADER, OTHER, ENTRY, MONTH, NOBODY] = [12, 2, 3, 91, 95, 404];

type Sample = ReturnType<typeof sampleOrganization>;

/** Two institutions: the first has records in every group; together they have the accounts of the authorization matrix. */
export interface SceneOrganization extends Pick<Sample, 'org' | 'day' | 'project' | 'employee'> {
  readonly accounts: Readonly<Record<'own' | 'leader' | 'other' | 'foreign', string>>;
  /** Import lines. Records belong to the first account and to an employee outside of the leader's department. */
  readonly lines: readonly object[];
}

/** Creates the organization. @param number of the first institution; the second one has the next number */
export function sceneOrganization(number: number): SceneOrganization {
  const sample = sampleOrganization(number);
  const { org, day, employee } = sample;
  const foreign = new Organization(number + 1);
  return {
    ...sample,
    accounts: { own: sample.admin, leader: org.id(LEADER), other: org.id(OTHER), foreign: foreign.id(1) },
    lines: [
      ...sample.lines,
      org.department(OTHER_OFFICE, 'Lager'),
      org.account(LEADER, 'department_leader', [OTHER_OFFICE]),
      { ...org.account(OTHER, 'manager'), project_ids: [] },
      { kind: 'workmonth', institution_id: org.id(0), id: org.id(MONTH), employee_id: employee, year: 2026, month: 10 },
      commentLine(org, ENTRY, { project: 41, date: day, author: 1 }, 'Regen'),
      foreign.institution(),
      foreign.account(1, 'admin'),
    ],
  };
}

/** A request of an operation. */
export interface OperationRequest {
  readonly path: string;
  readonly body?: object;
  /** A text that the response contains if the account may see the record. */
  readonly marker?: string;
}

/** Sends a request like a client with a token. */
export function send(
  platform: UsedPlatform,
  operation: string,
  { path, body }: OperationRequest,
  token: string | undefined,
): Promise<Answer> {
  const [method = ''] = operation.split(' ');
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return call(`${platform.baseUrl}${path}`, { method, token, ...sent });
}

/** A webhook whose host does not exist. */
const webhook = { url: 'https://name.invalid/', event_types: ['webhooks.webhook.tested'] };
const suppressionOf = ({ employee, day }: SceneOrganization) => ({ code: 'insufficient-break', employee_id: employee, valid_from: day });
const ruleOf = ({ employee }: SceneOrganization) => ({
  employee_id: employee,
  label: 'Umzug',
  missing_type: 'vacation',
  amount: '1.00',
  priority: 1,
  available_from: '2026-01-01',
  expires_at: '2026-12-31',
});

/** Returns an existing record id for each record group. */
const recordIdsOf = ({ org, project, employee, accounts }: SceneOrganization): Readonly<Record<string, string>> => ({
  '/employees/employees/': employee,
  '/employees/groups/': org.id(11),
  '/contracts/contracts/': org.id(51),
  '/projects/projects/': project,
  '/timestamps/workdays/': org.id(61),
  '/timestamps/timespans/': org.id(61 + 0x1_000_000),
  '/timestamps/workmonths/': org.id(MONTH),
  '/timestamps/absence/': org.id(71),
  '/timestamps/absence-applications/': org.id(81),
  '/accounts/institutions/': org.id(0),
  '/accounts/managers/': accounts.own,
});

/** Creates records for requests by id, a new one for each request that may delete it. */
export class Scene {
  private days = 0;
  private webhookId: Promise<string> | undefined;

  constructor(
    private readonly organization: SceneOrganization,
    private readonly platform: UsedPlatform,
    private readonly token: string,
  ) {}

  /** Returns a request that reads or changes a record of the first account. */
  async requestFor(operation: string): Promise<OperationRequest> {
    const [, path = ''] = operation.split(' ');
    if (path.startsWith('/exports/') && path !== '/exports/') return this.exportOf(path);
    if (path.startsWith('/asynchronous-tasks/')) return this.withId(path, await this.task());
    if (path.startsWith('/timestamps/absence-rules/')) return this.ofRule(operation, path);
    if (path.startsWith('/reviews/')) return this.ofReview(operation, path);
    if (path.startsWith('/tokens/')) return this.ofToken(operation, path);
    if (path.startsWith('/webhooks/')) return this.ofWebhook(operation, path);
    if (path.startsWith('/daily-reports/')) return ofDailyReport(this.organization, path);
    const recordIds = recordIdsOf(this.organization);
    const group = Object.keys(recordIds).find((candidate) => path.startsWith(candidate));
    return group === undefined ? { path } : this.withId(path, recordIds[group] ?? '');
  }

  /** Returns a request that needs the scope of the operation but changes nothing. */
  async harmless(operation: string): Promise<OperationRequest> {
    if (operation.startsWith('GET ')) return this.requestFor(operation);
    const [, path = ''] = operation.split(' ');
    const nobody = this.organization.org.id(NOBODY);
    const filled = path.replace('{id}', nobody).replace('{delivery}', nobody);
    return { path: filled, ...(!operation.startsWith('DELETE') && { body: {} }) };
  }

  private withId(path: string, id: string): OperationRequest {
    return { path: path.replace('{id}', id), marker: id };
  }

  private exportOf(path: string): OperationRequest {
    const { day } = this.organization;
    const parameters = { daterange: `${day}|${day}`, response_only: 'true', ...(path.includes('payroll_b') && { config: '1|2' }) };
    const sections = path.includes('multi') && { config: JSON.stringify([{ columns: ['accounting-number'] }]) };
    const columns = path.includes('generic') && { columns: 'accounting-number' };
    return { path: `${path}?${query({ ...parameters, ...sections, ...columns })}`, marker: '77' };
  }

  private async task(): Promise<string> {
    const date = this.newDay();
    return this.made('GET', `/exports/generic/?${query({ daterange: `${date}|${date}`, is_async: 'true' })}`);
  }

  private async ofRule(operation: string, path: string): Promise<OperationRequest> {
    const rule = ruleOf(this.organization);
    if (operation.startsWith('POST')) return { path, body: rule };
    const asked = this.withId(path, await this.made('POST', '/timestamps/absence-rules/', rule));
    return operation.startsWith('P') ? { ...asked, body: rule } : asked;
  }

  private async ofReview(operation: string, path: string): Promise<OperationRequest> {
    if (path === '/reviews/reviews/') return { path: `${path}?year=2026&month=10`, marker: this.organization.employee };
    if (!path.startsWith('/reviews/suppressions/')) return { path };
    const suppression = suppressionOf(this.organization);
    if (operation.startsWith('POST')) return { path, body: { ...suppression, valid_from: this.newDay() } };
    const asked = this.withId(path, await this.made('POST', '/reviews/suppressions/', suppression));
    return operation.startsWith('PATCH') ? { ...asked, body: { valid_to: '2026-12-31' } } : asked;
  }

  private async ofToken(operation: string, path: string): Promise<OperationRequest> {
    const body = { name: 'Lohnbüro' };
    return operation.startsWith('POST') ? { path, body } : this.withId(path, await this.made('POST', '/tokens/', body));
  }

  /** Returns a request for a webhook. Most operations share one, because an institution can have only ten. */
  private async ofWebhook(operation: string, path: string): Promise<OperationRequest> {
    if (operation === 'POST /webhooks/') return { path, body: webhook };
    const id = operation.startsWith('DELETE') ? await this.made('POST', '/webhooks/', webhook) : await this.sharedWebhook();
    const delivery = path.includes('/deliveries/') ? await this.made('POST', `/webhooks/${id}/test/`) : undefined;
    const asked = { path: path.replace('{id}', id).replace('{delivery}', delivery ?? ''), marker: delivery ?? id };
    if (operation.startsWith('PATCH')) return { ...asked, body: { description: 'ERP' } };
    return path.endsWith('{id}/replay/') ? { ...asked, body: { since: '2026-01-01T00:00:00' } } : asked;
  }

  private sharedWebhook(): Promise<string> {
    this.webhookId ??= this.made('POST', '/webhooks/', webhook);
    return this.webhookId;
  }

  /** Returns an unused day, so that a request does not return an existing task. */
  private newDay(): string {
    this.days += 1;
    return new Date(Date.UTC(2025, 0, this.days)).toISOString().slice(0, 10);
  }

  private async made(method: string, path: string, body?: object): Promise<string> {
    const { json, text } = await send(this.platform, method, { path, ...(body && { body }) }, this.token);
    const id = (json as { readonly id?: string } | undefined)?.id;
    if (id === undefined) throw new Error(`${method} ${path}: ${text}`);
    return id;
  }
}

function ofDailyReport({ project, day }: SceneOrganization, path: string): OperationRequest {
  const place = { tag: project, date: day };
  if (path.endsWith('/autofill/')) return { path, body: place };
  if (path.endsWith('/bundles/')) return { path, body: { date_from: day, date_to: day, projects: [project], format: 'zip' } };
  if (path.endsWith('/upload-photo-token/')) return { path, body: { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 1 } };
  if (path.endsWith('/status/')) return { path: `${path}?${query(place)}` };
  if (path.endsWith('/pdf/')) return { path: path.replace('{id}', `${project}%7C${day}`) };
  return { path, marker: project };
}
