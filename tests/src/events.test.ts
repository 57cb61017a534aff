import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect, headers as natsHeaders } from '@nats-io/transport-node';
import { events as catalogue, ingestSubject, tasksV1, type CloudEvent } from '@stechuhr/contracts';
import { callUnary, createGrpcClient } from '@stechuhr/service';
import {
  buildDeletion,
  buildWorkmonth,
  startOtlpReceiver,
  startWebhookReceiver,
  waitFor,
  watchSubjects,
  type OtlpReceiver,
  type SubjectWatch,
  type WebhookReceiver,
} from '@stechuhr/testing';
import { entryLine, statusLine } from './support/daily-reports.js';
import { judgeEvents, judgeHeaders } from './support/event-schemas.js';
import { call, query, type Answer } from './support/http.js';
import { Organization } from './support/organization.js';
import { startTestPlatform, type TestPlatform } from './support/platform.js';
import { sampleOrganization } from './support/sample-organization.js';
import { askForTask, finishedTask } from './support/tasks.js';
import { chainOf, fits, SpanKind } from './support/traces.js';

const { org, admin, employee, project, day, lines } = sampleOrganization(49);
const other = new Organization(50);
const [CLERK, OFFICE, ABEL, BLAU, SITE, YARD, CONTRACT, SHIFT, ABSENCE, APPLICATION] = [2, 11, 21, 22, 41, 42, 51, 61, 71, 81];
const [MONTH, FORM, NOTE, BURNED] = [91, 92, 93, 94];
const REPORT = `${project}|${day}`;
const MOVED = '2026-10-06';
const WEEK = { starts_on: '2026-10-12', ends_on: '2026-10-16' };
const OCTOBER = { daterange: '2026-10-01|2026-10-31', types: 'work-time:hours', columns: 'last-name|value' };

let otlp: OtlpReceiver;
let receiver: WebhookReceiver;
let platform: TestPlatform;
let watch: SubjectWatch;
let token: string;
let findings: readonly unknown[];
/** Ids that services have given. */
const given = new Map<string, string>();
const idOf = (name: string): string => given.get(name) ?? `${name} has no id`;

beforeAll(async () => {
  [otlp, receiver] = await Promise.all([startOtlpReceiver(), startWebhookReceiver()]);
  receiver.answer('/gone', 410);
  const webhooks = { WEBHOOK_ALLOWED_HOSTS: 'localhost', WEBHOOK_CA_FILE: receiver.caFile };
  platform = await startTestPlatform(otlp.environment, ['tasks', 'worker', 'daily-reports', 'webhooks'], { services: { webhooks } });
  watch = await watchSubjects(platform.run.infra.nats, 'stechuhr.events.>');
  await importAll();
  await useApi();
  await runTasks();
  await deleteAll();
  const missing = (): string[] => catalogue.map(({ type }) => type).filter((type) => dataOf(type).length === 0);
  await waitFor(() => missing().length === 0).catch(() => expect(missing()).toEqual([]));
  // Of the rules and the suppression that go with their employee.
  await waitFor(() => dataOf('absence-rules.rule.deleted').length > 1 && dataOf('reviews.suppression.deleted').length > 1);
});
afterAll(async () => {
  await watch.stop();
  await platform.stop();
  await receiver.stop();
  await otlp.stop();
});

const published = (): CloudEvent[] => watch.messages.map(({ text }) => JSON.parse(text) as CloudEvent);
const ofType = (type: string): CloudEvent[] => published().filter((event) => event.type === `stechuhr.${type}.v1`);
const dataOf = (type: string): CloudEvent['data'][] => ofType(type).map(({ data }) => data);

async function send(method: string, path: string, body?: object, name?: string): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await call(`${platform.baseUrl}/${path}`, { method, token, ...sent });
  expect([method, path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([method, path, expect.any(Number), '']);
  if (name !== undefined) given.set(name, (answer.json as { readonly id: string }).id);
  return answer;
}

async function importAll(): Promise<void> {
  const month = buildWorkmonth({ institution_id: org.id(0), id: org.id(MONTH), employee_id: employee, month: 9 });
  const note = entryLine(org, NOTE, { project: SITE, date: day, author: 1 }, { field_id: 'comments', value: 'Kran' });
  const more = [org.account(CLERK, 'manager'), org.employee(BLAU, 'Bernd', 'Blau'), org.project(YARD, 'H-2'), month, note];
  expect(await platform.importLines([...lines, ...more, other.institution()])).toMatchObject({ rejected: [] });
  token = await platform.issueToken(admin);
}

async function useApi(): Promise<void> {
  await send('GET', `exports/generic/?${query(OCTOBER)}`);
  await send('POST', 'webhooks/', { url: `${receiver.origin}/erp` }, 'webhook');
  await send('POST', 'webhooks/', { url: `${receiver.origin}/gone`, event_types: ['webhooks.webhook.updated'] }, 'gone');
  await send('PATCH', `webhooks/${idOf('webhook')}/`, { description: 'ERP' });
  await send('POST', `webhooks/${idOf('webhook')}/test/`);
  await waitFor(() => dataOf('webhooks.webhook.disabled').length > 0);
  await send('DELETE', `webhooks/${idOf('gone')}/`);
  const suppression = { code: 'insufficient-break', valid_from: day };
  await send('POST', 'reviews/suppressions/', suppression, 'suppression');
  await send('POST', 'reviews/suppressions/', { ...suppression, employee_id: org.id(BLAU) }, 'suppression of Blau');
  await send('PATCH', `reviews/suppressions/${idOf('suppression')}/`, { valid_to: '2026-12-31' });
  await send('DELETE', `reviews/suppressions/${idOf('suppression')}/`);
  const review = await send('GET', 'reviews/reviews/?year=2026&month=10');
  ({ findings } = review.json as { readonly findings: readonly unknown[] });
  const rule = { label: 'Umzug', missing_type: 'vacation', amount: '1.50', priority: 1, available_from: day, expires_at: '2026-12-31' };
  await send('POST', 'timestamps/absence-rules/', { ...rule, employee_id: employee }, 'rule');
  await send('POST', 'timestamps/absence-rules/', { ...rule, employee_id: org.id(BLAU) }, 'rule of Blau');
  await send('PUT', `timestamps/absence-rules/${idOf('rule')}/`, { ...rule, employee_id: employee, amount: '2.00' });
  await send('DELETE', `timestamps/absence-rules/${idOf('rule')}/`);
  await send('POST', 'daily-reports/reports/autofill/', { tag: project, date: day });
  await send('GET', `daily-reports/reports/${encodeURIComponent(REPORT)}/pdf/`);
  await send('POST', 'daily-reports/entries/upload-photo-token/', { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 1_000 });
  await send('POST', 'tokens/', { name: 'Lohnbüro', scopes: ['exports:run'], strict: true }, 'token');
  await send('DELETE', `tokens/${idOf('token')}/`);
}

/** One task is run by a worker; of another one, this suite reports as a worker that a part is done, and that it cannot succeed. */
async function runTasks(): Promise<void> {
  const address = `${platform.baseUrl}/exports/generic/?${query({ ...OCTOBER, is_async: 'true' })}`;
  given.set('task', (await finishedTask(address, token)).id);
  await send('DELETE', `asynchronous-tasks/tasks/${idOf('task')}/`);
  await platform.service('worker').kill('SIGTERM');
  const taskId = (await askForTask(address, token)).id;
  given.set('failing task', taskId);
  const client = createGrpcClient(tasksV1.ExportJobsServiceClient, platform.run.services['tasks']?.grpc ?? '');
  const options = { deadlineMs: 60_000 };
  const claim = tasksV1.ClaimJobRequest.fromPartial({ taskId, institutionId: org.id(0) });
  const attempt = (await callUnary(client, client.claimJob, claim, options)).job?.attempt ?? 0;
  const progress = { taskId, attempt, institutionId: org.id(0), rowsDone: 5, rowsEstimated: 20 };
  await callUnary(client, client.reportProgress, tasksV1.ReportProgressRequest.fromPartial(progress), options);
  const failure = { taskId, attempt, institutionId: org.id(0), reason: 'invalid: employee_ids', final: true };
  await callUnary(client, client.failJob, tasksV1.FailJobRequest.fromPartial(failure), options);
  client.close();
}

/** Imports a change and a rejected line, entries that end, a form, and the deletion of a record of each kind. */
async function deleteAll(): Promise<void> {
  const at = { project: SITE, date: day, author: 1 };
  const form = { kind: 'daily_report_form', id: org.id(FORM), institution_id: org.id(0), valid_from: '2030-01-01' };
  const moved = org.shift(SHIFT, ABEL, { date: MOVED, start: '07:00', end: '17:30' });
  const { rejected } = await platform.importLines([
    ...[moved, { ...org.project(YARD, 'H-2'), name: '' }],
    entryLine(org, BURNED, at, { field_id: 'comments', value: 'Kran', burned: true }),
    { ...buildDeletion({ kind: 'daily_report_entry', institution_id: org.id(0), id: org.id(NOTE) }), tag_id: project, date: day },
    statusLine(org, 95, at, 'submitted'),
  ]);
  expect(rejected).toHaveLength(1);
  await platform.importLines([{ ...form, fields: [{ id: 'notes', type: 'string', label: 'Notizen' }] }]);
  const deleted = Object.entries({
    ...{ absence_application: APPLICATION, absence: ABSENCE, workmonth: MONTH, workday: SHIFT, contract: CONTRACT },
    ...{ employee: BLAU, project: YARD, department: OFFICE, account: CLERK },
  }).map(([kind, n]) => buildDeletion({ kind, institution_id: org.id(0), id: org.id(n) }));
  const gone = buildDeletion({ kind: 'institution', institution_id: other.id(0), id: other.id(0) });
  expect(await platform.importLines([...deleted, gone])).toMatchObject({ rejected: [] });
}

const id = (n: number) => ({ id: org.id(n) });
const ofAbel = { employee_id: org.id(ABEL) };
const entry = { tag_id: project, date: day };
const anyId: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The `data` of an event of each type. */
const DATA: Readonly<Record<string, () => object>> = {
  'records.institution.changed': () => id(0),
  'records.institution.deleted': () => ({ id: other.id(0) }),
  'records.account.changed': () => ({ id: admin }),
  'records.account.deleted': () => id(CLERK),
  'records.department.changed': () => id(OFFICE),
  'records.department.deleted': () => id(OFFICE),
  'records.employee.changed': () => id(ABEL),
  'records.employee.deleted': () => id(BLAU),
  'records.contract.changed': () => ({ ...id(CONTRACT), ...ofAbel }),
  'records.contract.deleted': () => ({ ...id(CONTRACT), ...ofAbel }),
  'records.project.changed': () => id(SITE),
  'records.project.deleted': () => id(YARD),
  'records.workday.changed': () => ({ ...id(SHIFT), ...ofAbel, date: MOVED, previous: { ...ofAbel, date: day } }),
  'records.workday.deleted': () => ({ ...id(SHIFT), ...ofAbel, date: MOVED }),
  'records.workmonth.changed': () => ({ ...id(MONTH), ...ofAbel, year: 2026, month: 9 }),
  'records.workmonth.deleted': () => ({ ...id(MONTH), ...ofAbel, year: 2026, month: 9 }),
  'records.absence.changed': () => ({ ...id(ABSENCE), ...ofAbel, ...WEEK }),
  'records.absence.deleted': () => ({ ...id(ABSENCE), ...ofAbel, ...WEEK }),
  'records.absence_application.changed': () => ({ ...id(APPLICATION), ...ofAbel, starts_on: '2026-03-09', ends_on: '2026-03-13' }),
  'records.absence_application.deleted': () => ({ ...id(APPLICATION), ...ofAbel, starts_on: '2026-03-09', ends_on: '2026-03-13' }),
  // Without the lines of daily reports, which follow.
  'records.import.finished': () => ({ id: anyId, accepted: { workday: 1 }, rejected: 1 }),
  'exports.export.ran': () => ({ id: anyId, exporter: 'generic', export_format: 'csv', rows: 1, skipped: 0 }),
  'tasks.task.created': () => ({ id: idOf('task'), action: 'generic_export', account_id: admin }),
  'tasks.task.started': () => ({ id: idOf('task') }),
  'tasks.task.progressed': () => ({ id: idOf('failing task'), rows_done: 5, rows_estimated: 20 }),
  // `last-name,value` and `Abel,10.5` with line ends.
  'tasks.task.finished': () => ({ id: idOf('task'), rows: 1, size_bytes: 28, skipped: 0 }),
  'tasks.task.failed': () => ({ id: idOf('failing task'), cause: 'invalid' }),
  'tasks.task.deleted': () => ({ id: idOf('task') }),
  'absence-rules.rule.created': () => ({ id: idOf('rule'), ...ofAbel }),
  'absence-rules.rule.updated': () => ({ id: idOf('rule'), ...ofAbel }),
  'absence-rules.rule.deleted': () => ({ id: idOf('rule of Blau'), employee_id: org.id(BLAU) }),
  'reviews.suppression.created': () => ({ id: idOf('suppression'), code: 'insufficient-break', employee_id: null }),
  'reviews.suppression.updated': () => ({ id: idOf('suppression'), code: 'insufficient-break', employee_id: null }),
  'reviews.suppression.deleted': () => ({ id: idOf('suppression of Blau'), code: 'insufficient-break', employee_id: org.id(BLAU) }),
  'reviews.review.ran': () => ({ id: anyId, year: 2026, month: 10, employees: 1, findings: findings.length }),
  'daily-reports.entry.recorded': () => ({ ...id(NOTE), ...entry }),
  'daily-reports.entry.burned': () => ({ ...id(BURNED), ...entry }),
  'daily-reports.entry.removed': () => ({ ...id(NOTE), ...entry }),
  'daily-reports.report.status-changed': () => ({ id: REPORT, from: 'draft', to: 'submitted' }),
  'daily-reports.report.autofilled': () => ({ id: REPORT, fields: ['employee-working-times', 'activities'] }),
  'daily-reports.report.rendered': () => ({ id: REPORT }),
  'daily-reports.photo.token-issued': () => ({ id: anyId, account_id: admin }),
  'daily-reports.form.configured': () => id(FORM),
  'gateway.token.issued': () => ({ id: idOf('token'), account_id: admin }),
  'gateway.token.revoked': () => ({ id: idOf('token'), account_id: admin }),
  'webhooks.webhook.created': () => ({ id: idOf('webhook') }),
  'webhooks.webhook.updated': () => ({ id: idOf('webhook') }),
  'webhooks.webhook.disabled': () => ({ id: idOf('gone'), reason: 'gone' }),
  'webhooks.webhook.deleted': () => ({ id: idOf('gone') }),
  'webhooks.webhook.tested': () => ({ id: idOf('webhook') }),
};

describe('published events', () => {
  it('are of every type of the catalogue, and of no other', () => {
    const { types } = judgeEvents(watch.messages.map(({ text }) => text).join('\n'));
    expect(types).toEqual(catalogue.map(({ type }) => type).sort());
  });

  it('match docs/asyncapi.json, with their headers', () => {
    expect(judgeEvents(watch.messages.map(({ text }) => text).join('\n')).problems).toEqual([]);
    expect(judgeHeaders(watch.messages.map(({ headers }) => headers))).toEqual([]);
  });

  it('have a subject, a message id and a trace that belong to them', () => {
    for (const { subject, text, headers } of watch.messages) {
      const event = JSON.parse(text) as CloudEvent;
      const type = event.type.slice('stechuhr.'.length, -'.v1'.length);
      expect({ subject, id: headers['Nats-Msg-Id'], trace: traceOf(headers['traceparent']) }).toEqual({
        subject: `stechuhr.events.${event.institutionid}.${type}`,
        id: event.id,
        trace: traceOf(event.traceparent),
      });
      expect({ source: event.source, dataschema: event.dataschema, subject: event.subject }).toEqual({
        source: `/stechuhr/${type.split('.')[0] ?? ''}`,
        dataschema: `urn:stechuhr:event:${type}:v1`,
        subject: event.data.id,
      });
    }
  });

  it.each(catalogue.map(({ type }) => type))('have exactly the documented data: %s', (type) => {
    expect(dataOf(type)).toContainEqual(DATA[type]?.());
  });

  it('have null only as the employee of a suppression for all', () => {
    const nulls = published().filter((event) => JSON.stringify(event).includes('null'));
    expect(new Set(nulls.map(({ type, data }) => [type.split('.')[2], data['employee_id']].join()))).toEqual(new Set(['suppression,']));
  });

  it.each([
    ['task', ['created', 'started', 'finished', 'deleted']],
    ['failing task', ['created', 'started', 'progressed', 'failed']],
    ['rule', ['created', 'updated', 'deleted']],
    ['suppression', ['created', 'updated', 'deleted']],
    ['webhook', ['created', 'updated', 'tested']],
    ['gone', ['created', 'disabled', 'deleted']],
  ])('are in the order of the changes of a record: %s', (name, verbs) => {
    const ofRecord = published().filter(({ subject }) => subject === idOf(name));
    expect(ofRecord.map(({ type }) => type.split('.')[3])).toEqual(verbs);
  });

  it('do not contain names or texts', () => {
    for (const { text } of watch.messages) expect(text).not.toMatch(/Abel|Anna|Blau|Bernd|Kran|Umzug|Lohnb|ERP|Schalung/);
  });
});

const traceOf = (traceparent: string | undefined): string => traceparent?.split('-')[1] ?? 'none';

describe('the trace of an event', () => {
  it.each([
    ['exports.export.ran', ['gateway', 'exports']],
    ['tasks.task.created', ['gateway', 'exports', 'tasks']],
    ['tasks.task.finished', ['gateway', 'exports', 'tasks', 'worker', 'tasks']],
    ['reviews.suppression.created', ['gateway', 'reviews']],
    ['reviews.suppression.deleted', ['cli', 'records', 'reviews']],
    ['absence-rules.rule.updated', ['gateway', 'absence-rules']],
    ['absence-rules.rule.deleted', ['cli', 'records', 'absence-rules']],
    ['daily-reports.report.autofilled', ['gateway', 'daily-reports']],
    ['daily-reports.report.rendered', ['gateway', 'daily-reports']],
    ['daily-reports.report.status-changed', ['cli', 'daily-reports']],
    ['gateway.token.revoked', ['gateway']],
    ['records.workday.deleted', ['cli', 'records']],
    ['webhooks.webhook.updated', ['gateway', 'webhooks']],
    ['webhooks.webhook.disabled', ['gateway', 'webhooks']],
  ])('continues that of its cause: %s through %j', async (type, services) => {
    const wanted = JSON.stringify(DATA[type]?.());
    const event = ofType(type).find(({ data }) => type === 'exports.export.ran' || JSON.stringify(data) === wanted);
    const verb = type.split('.').at(-1) ?? '';
    const publication = { service: type.split('.')[0] ?? '', kind: SpanKind.producer, name: new RegExp(`publish .*\\.${verb}$`) };
    await chainOf(otlp, traceOf(event?.traceparent), publication, services);
  });

  it('continues to the request to a webhook, and to its receiver', async () => {
    const [event] = ofType('records.department.deleted');
    const request = await waitFor(() => receiver.at('/erp').find(({ headers }) => headers['webhook-id'] === event?.id));
    const received = String(request.headers['traceparent']);
    expect(traceOf(received)).toBe(traceOf(event?.traceparent));
    expect(request.headers).not.toHaveProperty('tracestate');
    const sent = await otlp.next(({ spanId }) => spanId === received.split('-')[2]);
    expect(sent).toMatchObject({ service: 'webhooks', kind: SpanKind.client, traceId: traceOf(received) });
    const pattern = { service: 'webhooks', kind: SpanKind.client, scope: /http/ };
    const chain = await chainOf(otlp, traceOf(received), pattern, ['cli', 'records', 'webhooks']);
    expect(chain.filter((span) => fits(span, { kind: SpanKind.consumer }))).toHaveLength(1);
  });

  it('of a live object is that of its publisher, also if the object is handed over to another service', async () => {
    const traceId = 'c'.repeat(32);
    const headers = natsHeaders();
    headers.set('traceparent', `00-${traceId}-${'1'.repeat(16)}-01`);
    const connection = await connect({ servers: platform.run.infra.nats.split(',') });
    const note = entryLine(org, 96, { project: SITE, date: MOVED, author: 1 }, { field_id: 'notes', value: 'Kran' });
    const objects = { department: org.department(12, 'Tiefbau'), daily_report_entry: note };
    for (const [kind, object] of Object.entries(objects))
      await jetstream(connection).publish(ingestSubject(org.id(0), kind), JSON.stringify(object), { headers });
    await connection.close();
    for (const [service, name] of Object.entries({ records: /department\.changed$/, 'daily-reports': /entry\.recorded$/ }))
      await otlp.next((span) => span.traceId === traceId && fits(span, { service, kind: SpanKind.producer, name }));
  });

  it('is that of the request, even if the event is published later, because NATS was unavailable', async () => {
    const { nats } = platform.infra.servers;
    await nats.kill();
    const rule = { label: 'Umzug', missing_type: 'vacation', amount: '1.50', priority: 1, available_from: day, expires_at: '2026-12-31' };
    await send('POST', 'timestamps/absence-rules/', { ...rule, employee_id: employee }, 'late rule');
    await nats.restart();
    const late = await waitFor(async () => {
      const { stdout } = await platform.cli(['events', 'replay', '--institution', org.id(0), '--type', 'absence-rules.rule.created']);
      const found = stdout.split('\n').filter((line) => line.includes(idOf('late rule')));
      return found[0] === undefined ? undefined : (JSON.parse(found[0]) as CloudEvent);
    });
    const publication = { service: 'absence-rules', kind: SpanKind.producer, name: /publish .*\.created$/ };
    const chain = await chainOf(otlp, traceOf(late.traceparent), publication, ['gateway', 'absence-rules']);
    expect(chain.at(-1)).toMatchObject({ kind: SpanKind.server, name: expect.stringContaining('POST') });
  });
});
