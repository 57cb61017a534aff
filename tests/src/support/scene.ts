import { commentLine } from './daily-reports.js';
import { call, query, type Answer } from './http.js';
import { Organization } from './organization.js';
import type { UsedPlatform } from './platform.js';
import { sampleOrganization } from './sample-organization.js';

const [OTHER_OFFICE, LEADER, OTHER, ENTRY, MONTH, NOBODY] = [12, 2, 3, 91, 95, 404];

type Sample = ReturnType<typeof sampleOrganization>;

/** Two institutions: something in every group of the first, and the accounts of the matrix. */
export interface SceneOrganization extends Pick<Sample, 'org' | 'day' | 'project' | 'employee'> {
  readonly accounts: Readonly<Record<'own' | 'leader' | 'other' | 'foreign', string>>;
  /** Made by the account itself, and of an employee whose department the leader does not lead. */
  readonly lines: readonly object[];
}

/** The institutions get this number and the next one. */
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
export interface Asked {
  readonly path: string;
  readonly body?: object;
  /** What the answer has in it for those who see it. */
  readonly marker?: string;
}

/** Sends one, as a client with a token does. */
export function send(platform: UsedPlatform, operation: string, { path, body }: Asked, token: string | undefined): Promise<Answer> {
  const [method = ''] = operation.split(' ');
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return call(`${platform.baseUrl}${path}`, { method, token, ...sent });
}

/** It resolves nowhere. */
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

/** The group and the record that lists and details are asked for. */
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

/** Makes what is asked for by id, anew for each who may remove it. */
export class Scene {
  private days = 0;
  private webhookId: Promise<string> | undefined;

  constructor(
    private readonly organization: SceneOrganization,
    private readonly platform: UsedPlatform,
    private readonly token: string,
  ) {}

  /** The request with which an account would see or change what the first account has. */
  async asked(operation: string): Promise<Asked> {
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

  /** One that a token may only send with the right scope, and that changes nothing then. */
  async harmless(operation: string): Promise<Asked> {
    if (operation.startsWith('GET ')) return this.asked(operation);
    const [, path = ''] = operation.split(' ');
    const nobody = this.organization.org.id(NOBODY);
    const filled = path.replace('{id}', nobody).replace('{delivery}', nobody);
    return { path: filled, ...(!operation.startsWith('DELETE') && { body: {} }) };
  }

  private withId(path: string, id: string): Asked {
    return { path: path.replace('{id}', id), marker: id };
  }

  private exportOf(path: string): Asked {
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

  private async ofRule(operation: string, path: string): Promise<Asked> {
    const rule = ruleOf(this.organization);
    if (operation.startsWith('POST')) return { path, body: rule };
    const asked = this.withId(path, await this.made('POST', '/timestamps/absence-rules/', rule));
    return operation.startsWith('P') ? { ...asked, body: rule } : asked;
  }

  private async ofReview(operation: string, path: string): Promise<Asked> {
    if (path === '/reviews/reviews/') return { path: `${path}?year=2026&month=10`, marker: this.organization.employee };
    if (!path.startsWith('/reviews/suppressions/')) return { path };
    const suppression = suppressionOf(this.organization);
    if (operation.startsWith('POST')) return { path, body: { ...suppression, valid_from: this.newDay() } };
    const asked = this.withId(path, await this.made('POST', '/reviews/suppressions/', suppression));
    return operation.startsWith('PATCH') ? { ...asked, body: { valid_to: '2026-12-31' } } : asked;
  }

  private async ofToken(operation: string, path: string): Promise<Asked> {
    const body = { name: 'Lohnbüro' };
    return operation.startsWith('POST') ? { path, body } : this.withId(path, await this.made('POST', '/tokens/', body));
  }

  /** An institution has ten webhooks at most: most operations share one. */
  private async ofWebhook(operation: string, path: string): Promise<Asked> {
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

  /** So that nobody is answered with what somebody else has made. */
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

function ofDailyReport({ project, day }: SceneOrganization, path: string): Asked {
  const place = { tag: project, date: day };
  if (path.endsWith('/autofill/')) return { path, body: place };
  if (path.endsWith('/bundles/')) return { path, body: { date_from: day, date_to: day, projects: [project], format: 'zip' } };
  if (path.endsWith('/upload-photo-token/')) return { path, body: { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 1 } };
  if (path.endsWith('/status/')) return { path: `${path}?${query(place)}` };
  if (path.endsWith('/pdf/')) return { path: path.replace('{id}', `${project}%7C${day}`) };
  return { path, marker: project };
}
