import { beforeAll, describe, expect, it } from '@jest/globals';
import { createStechuhrClient, everyEntry } from '@stechuhr/client';
import { waitFor } from '@stechuhr/testing';
import { call } from '../support/http.js';
import { documentSchemas, type DocumentSchemas, type OpenApiDocument } from '../support/document-schemas.js';
import { judgeEvents } from '../support/event-schemas.js';
import { operationClient, type Answered, type Given, type OperationClient } from '../support/operation-client.js';
import { RECORD_GROUPS } from '../support/record-groups.js';
import { sampleOrganization } from '../support/sample-organization.js';
import { platform } from './platform.js';

const { org, admin, employee, project, day: DAY, lines } = sampleOrganization(41);
const FORMS = ['generic', 'payroll_a', 'payroll_b', 'multi'];

let document: OpenApiDocument;
let token: string;
let client: OperationClient;
let schemas: DocumentSchemas;
const called = new Set<string>();

beforeAll(async () => {
  const { rejected } = await platform.importLines(lines);
  expect(rejected).toEqual([]);
  document = (await call(`${platform.baseUrl}/openapi.json`)).json as OpenApiDocument;
  token = await platform.issueToken(admin);
  client = operationClient(document, { baseUrl: platform.baseUrl, token });
  schemas = documentSchemas(document);
});

/** Calls an operation and expects that the response matches the document, without undocumented fields. */
async function ask(operation: string, status: number, given: Given = {}): Promise<Answered> {
  const answered = await client.call(operation, given);
  called.add(operation);
  expect([operation, answered.response.status, answered.error]).toEqual([operation, status, status < 400 ? undefined : expect.anything()]);
  const type = answered.response.headers.get('content-type')?.split(';')[0];
  expect([operation, schemas.problems(operation, status, type, answered.data ?? answered.error)]).toEqual([operation, []]);
  return answered;
}

const idOf = ({ data }: Answered) => (data as { readonly id: string }).id;
const period = { daterange: '2026-10-01|2026-10-31' };

describe('the client whose types are generated from the document', () => {
  it('reads every list and its records', async () => {
    for (const name of RECORD_GROUPS) {
      const { data } = await ask(`list${name}s`, 200, { query: { limit: 5 } });
      const [first] = (data as { readonly results: readonly { readonly id: string }[] }).results;
      expect([name, first]).toEqual([name, expect.anything()]);
      const { data: detail } = await ask(`get${name}`, 200, { path: { id: first?.id } });
      expect(detail).toEqual(first);
    }
    await ask('listWorkdays', 400, { query: { order: 'id' } });
    await ask('getWorkday', 404, { path: { id: org.id(404) } });
  });

  it('reads a list page by page', async () => {
    const stechuhr = createStechuhrClient({ baseUrl: platform.baseUrl, token });
    const offsets: number[] = [];
    const types = everyEntry((page) => {
      offsets.push(page.offset);
      return stechuhr.GET('/daily-reports/reports/field-types/', { params: { query: page } });
    }, 3);
    expect(new Set(await Array.fromAsync(types, ({ id }) => id)).size).toBe(7);
    expect(offsets).toEqual([0, 3, 6]);
  });

  it('runs exports', async () => {
    await ask('listExporters', 200);
    await ask('runGenericExport', 200, { query: { ...period, export_format: 'json' } });
    await ask('runGenericExport', 200, { query: { ...period, export_format: 'json', response_only: true } });
    await ask('runGenericExport', 200, { query: { ...period, response_only: true } });
    await ask('runGenericExport', 400, { query: { daterange: '2026-10-31|2026-10-01' } });
    await ask('runPayrollAExport', 200, { query: period });
    await ask('runPayrollBExport', 200, { query: { ...period, config: '1|2' } });
    await ask('runMultiExport', 200, { query: { ...period, config: '[{"title":"Stunden"},{"types":["vacation:days"]}]' } });
    for (const exporter of FORMS) {
      for (const name of ['Columns', 'Types', 'Modifiers', 'Filters']) await ask(`export${name}Page`, 200, { path: { exporter } });
    }
  });

  it('runs an export in the background', async () => {
    const given = { query: { ...period, is_async: true } };
    const id = idOf(await ask('runGenericExport', 200, given));
    await waitFor(async () => ((await ask('runGenericExport', 200, given)).data as { status: string }).status === 'finished');
    await ask('listTasks', 200);
    await ask('getTask', 200, { path: { id } });
    await ask('deleteTask', 204, { path: { id } });
    await ask('getTask', 404, { path: { id } });
  });

  it('runs a review and suppresses findings', async () => {
    const { data } = await ask('runReview', 200, { query: { year: 2026, month: 10 } });
    expect((data as { findings: unknown[] }).findings.length).toBeGreaterThan(0);
    await ask('listChecks', 200);
    await ask('listFindingGroups', 200);
    const body = { code: 'insufficient-break', employee_id: employee, valid_from: DAY };
    const path = { id: idOf(await ask('createSuppression', 201, { body })) };
    await ask('createSuppression', 200, { body });
    await ask('createSuppression', 400, { body: {} });
    await ask('listSuppressions', 200, { query: { order: '-code' } });
    await ask('getSuppression', 200, { path });
    await ask('updateSuppression', 200, { path, body: { valid_to: '2026-12-31' } });
    await ask('deleteSuppression', 204, { path });
  });

  it('grants absence days', async () => {
    const body = {
      employee_id: employee,
      label: 'Umzug',
      missing_type: 'vacation',
      amount: '1.50',
      priority: 1,
      available_from: '2026-10-01',
      expires_at: '2026-12-31',
    };
    const path = { id: idOf(await ask('createAbsenceRule', 201, { body })) };
    const { data } = await ask('listAbsenceRules', 200, { query: { daterange: '2026-01-01|2026-12-31' } });
    expect((data as { count: number }).count).toBe(2);
    await ask('getAbsenceRule', 200, { path });
    await ask('updateAbsenceRule', 200, { path, body: { ...body, amount: '2.00' } });
    await ask('patchAbsenceRule', 400, { path, body: { amount: '2.00' } });
    await ask('patchAbsenceRule', 200, { path, body });
    await ask('deleteAbsenceRule', 204, { path });
  });

  it('documents a day on site', async () => {
    const day = { tag: project, date: DAY };
    const { data } = await ask('autofillDailyReport', 200, { body: day });
    expect(data).toMatchObject({ filled: ['employee-working-times', 'activities'] });
    await ask('listDailyReports', 200, { query: { status: 'draft' } });
    await ask('listFieldTypes', 200);
    await ask('getDailyReportStatus', 200, { query: day });
    await ask('getDailyReportStatus', 400, { query: { ...day, tag: 'x' } });
    const entries = await ask('listDailyReportEntries', 200, { query: { grouped: '1' } });
    expect((entries.data as { count: number }).count).toBe(2);
    await ask('createPhotoUploadToken', 200, { body: { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 1_000 } });
    const bundle = { date_from: DAY, date_to: DAY, projects: [project] };
    const { data: started } = await ask('createDailyReportBundle', 202, { body: { ...bundle, format: 'zip' } });
    expect(started).toMatchObject({ status: 'created', target: null });
    const file = await waitFor(async () => {
      const { data } = await client.call('createDailyReportBundle', { body: { ...bundle, format: 'zip' } });
      expect(data).toMatchObject({ id: idOf({ data: started } as Answered) });
      return (data as { readonly target: string | null }).target ?? undefined;
    });
    await ask('createDailyReportBundle', 200, { body: { ...bundle, format: 'zip' } });
    const archive = Buffer.from(await (await fetch(file)).arrayBuffer());
    expect(archive.toString('latin1')).toMatch(/^PK\u0003\u0004[^]*%PDF-1\.7[^]*PK\u0005\u0006/);
    await ask('createDailyReportBundle', 400, { body: { ...bundle, date_to: '2000-01-01' } });
    const { response } = await ask('getDailyReportPdf', 200, { path: { id: `${project}|${DAY}` } });
    expect(response.headers.get('content-type')).toBe('application/pdf');
  });

  it('replaces its own tokens', async () => {
    const body = { name: 'Lohnbüro', scopes: ['exports:run'], strict: true };
    const issued = await ask('createToken', 201, { body });
    const { token, ...shown } = issued.data as { readonly token: string };
    await ask('createToken', 400, { body: { scopes: ['x'] } });
    const path = { id: idOf(issued) };
    expect((await ask('getToken', 200, { path })).data).toEqual(shown);
    await ask('listTokens', 200, { query: { order: '-created_at' } });
    expect(await call(`${platform.baseUrl}/exports/`, { token })).toMatchObject({ status: 200 });
    await ask('revokeToken', 204, { path });
    expect(await call(`${platform.baseUrl}/exports/`, { token })).toMatchObject({ status: 401 });
  });

  it('manages webhooks', async () => {
    const body = { url: 'https://name.invalid/', description: 'ERP', event_types: ['records.workday.changed'], enabled: true };
    const created = await ask('createWebhook', 201, { body });
    await ask('createWebhook', 400, { body: { url: 'http://name.invalid/' } });
    const path = { id: idOf(created) };
    const { secret, ...shown } = created.data as { readonly secret: string };
    expect((await ask('getWebhook', 200, { path })).data).toEqual(shown);
    await ask('listWebhooks', 200, { query: { limit: 5 } });
    await ask('updateWebhook', 200, { path, body: { description: null } });
    const { data } = await ask('rotateWebhookSecret', 200, { path });
    expect((data as { readonly secret: string }).secret).not.toBe(secret);
    const delivery = idOf(await ask('testWebhook', 202, { path }));
    const listed = await ask('listWebhookDeliveries', 200, { path, query: { states: 'pending' } });
    expect(listed.data).toMatchObject({ results: [{ id: delivery, event_type: 'webhooks.webhook.tested' }] });
    await ask('replayWebhookDelivery', 202, { path: { ...path, delivery } });
    await ask('replayWebhook', 200, { path, body: { since: '2026-01-01T00:00:00', states: ['dead'] } });
    await ask('deleteWebhook', 204, { path });
  });

  it('reads the root and other entry points', async () => {
    await ask('listGroups', 200);
    await ask('getOpenApiDocument', 200);
    await ask('listRecordSchemas', 200);
    await ask('getRecordSchema', 200, { path: { kind: 'employee' } });
    await ask('getDocsPage', 200);
  });

  it('has caused only events that docs/asyncapi.json describes', async () => {
    const { stdout } = await platform.cli(['events', 'replay', '--institution', org.id(0)]);
    const { types, problems } = judgeEvents(stdout);
    expect(problems).toEqual([]);
    expect(types.length).toBeGreaterThan(15);
    expect(judgeEvents(stdout.replaceAll('"data":{', '"data":{"name":"Abel",')).problems).not.toEqual([]);
    const producers = new Set(types.map((type) => type.split('.')[0]));
    expect([...producers].sort()).toEqual([
      'absence-rules',
      'daily-reports',
      'exports',
      'gateway',
      'records',
      'reviews',
      'tasks',
      'webhooks',
    ]);
  });

  it('has called every operation', () => {
    expect([...called].sort()).toEqual([...client.operations].sort());
    expect([...called].sort()).toEqual([...schemas.operations].sort());
  });
});
