import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { cloudEventSchema, events as catalogue, ingestSubject } from '@stechuhr/contracts';
import { watchSubjects, waitFor, type SubjectWatch } from '@stechuhr/testing';
import { call, query } from '../support/http.js';
import { linesOfTrace, readLogs } from '../support/logs.js';
import { Organization } from '../support/organization.js';
import { chainOf, fits, SpanKind } from '../support/traces.js';
import { otlp, platform } from './platform.js';

const org = new Organization(6);
const [ADMIN, ABEL] = [1, 21];
const MARCH = query({ daterange: '2026-03-01|2026-03-31' });

let events: SubjectWatch;
let token: string;

beforeAll(async () => {
  events = await watchSubjects(platform.run.infra.nats, `stechuhr.events.${org.id(0)}.>`);
  await platform.importLines([org.institution(), org.account(ADMIN, 'admin'), org.employee(ABEL, 'Anna', 'Abel')]);
  token = await platform.issueToken(org.id(ADMIN));
});
afterAll(() => events.stop());

const traceIdOf = (traceparent: string | undefined) => traceparent?.split('-')[1] ?? '';
const eventOf = (text: string) => JSON.parse(text) as { type: string; subject: string; traceparent?: string };

describe('one export', () => {
  let traceId: string;

  beforeAll(async () => {
    const answer = await call(`${platform.baseUrl}/exports/generic/?${MARCH}`, { token });
    expect(answer.status).toBe(200);
    const ran = await otlp.next((span) => fits(span, { service: 'exports', kind: SpanKind.server, name: /RunExport/ }));
    traceId = ran.traceId;
  });

  it('is one trace from HTTP over gRPC to MongoDB', async () => {
    const command = { service: 'records', kind: SpanKind.client, scope: /mongodb/ };
    const chain = await chainOf(otlp, traceId, command, ['gateway', 'exports', 'records']);
    const root = chain.at(-1);
    expect(root).toMatchObject({ service: 'gateway', kind: SpanKind.server });
    const edges = chain.map(({ service, kind }) => ({ service, kind }));
    expect(edges).toContainEqual({ service: 'gateway', kind: SpanKind.client });
    expect(edges).toContainEqual({ service: 'exports', kind: SpanKind.server });
    expect(edges).toContainEqual({ service: 'exports', kind: SpanKind.client });
    expect(edges).toContainEqual({ service: 'records', kind: SpanKind.server });
  });

  it('includes reading the time records and looking up the token', async () => {
    const reading = { service: 'records', kind: SpanKind.server, name: /ReadTimeRecords/ };
    await chainOf(otlp, traceId, reading, ['gateway', 'exports', 'records']);
    await chainOf(otlp, traceId, { service: 'gateway', scope: /ioredis/ }, ['gateway']);
  });

  it('includes its event', async () => {
    const { text } = await events.next((message) => message.subject.endsWith('.exports.export.ran'));
    expect(traceIdOf(eventOf(text).traceparent)).toBe(traceId);
  });

  it('is identified in the logs', async () => {
    const lines = await waitFor(async () => {
      const found = await linesOfTrace(platform.home, 'gateway', traceId);
      return found.length > 0 && found;
    });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'gateway', trace_id: traceId });
  });
});

describe('requests that wait on one connection', () => {
  it('have a trace and a route each', async () => {
    const paths = ['/api/v2/exports/', '/api/v2/asynchronous-tasks/tasks/'];
    const traceIds = ['a', 'b'].map((digit) => digit.repeat(32));
    const { hostname, port } = new URL(platform.baseUrl);
    const socket = connectTcp(Number(port), hostname);
    const head = (at: number) =>
      `GET ${paths[at]} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${token}\r\ntraceparent: 00-${traceIds[at]}-${'1'.repeat(16)}-01\r\n\r\n`;
    socket.resume().write(head(0) + head(1));
    const pattern = { service: 'gateway', kind: SpanKind.server };
    const received = traceIds.map((traceId) => otlp.next((span) => fits(span, pattern) && span.traceId === traceId));
    expect((await Promise.all(received)).map(({ name }) => name)).toEqual(paths.map((path) => `GET ${path}`));
    socket.destroy();
  });
});

describe('one import', () => {
  it('is one trace from the CLI to the event on NATS', async () => {
    await platform.importLines([org.project(41, 'P-1')]);
    const { text, headers } = await events.next(({ text: body }) => eventOf(body).subject === org.id(41));
    const { type, traceparent } = eventOf(text);
    expect(type).toBe('stechuhr.records.project.changed.v1');
    const traceId = traceIdOf(traceparent);
    expect(traceIdOf(headers['traceparent'])).toBe(traceId);
    await chainOf(otlp, traceId, { service: 'records', scope: /mongodb/ }, ['cli', 'records']);
    await chainOf(otlp, traceId, { service: 'records', kind: SpanKind.producer }, ['cli', 'records']);
  });
});

describe('everything that is published', () => {
  it('matches the catalogue', async () => {
    const issued = await platform.issue(org.id(ADMIN));
    await platform.cli(['tokens', 'revoke', issued.id]);
    await platform.importLines([{ ...org.project(41, 'P-1'), deleted: true }]);
    await events.next(({ subject }) => subject.endsWith('.records.project.deleted'));
    await events.next(({ subject }) => subject.endsWith('.gateway.token.revoked'));
    for (const { subject, text, headers } of events.messages) {
      const event = cloudEventSchema.parse(JSON.parse(text));
      const definition = catalogue.find(({ type }) => event.type === `stechuhr.${type}.v1`);
      expect(definition?.data.safeParse(event.data)).toMatchObject({ success: true });
      expect(subject).toBe(`stechuhr.events.${event.institutionid}.${definition?.type}`);
      expect({ id: event.data.id, msgId: headers['Nats-Msg-Id'] }).toEqual({ id: event.subject, msgId: event.id });
    }
    const types = new Set(events.messages.map(({ subject }) => subject.split('.').slice(3).join('.')));
    expect([...types].sort()).toEqual([
      'exports.export.ran',
      'gateway.token.issued',
      'gateway.token.revoked',
      'records.account.changed',
      'records.employee.changed',
      'records.import.finished',
      'records.institution.changed',
      'records.project.changed',
      'records.project.deleted',
    ]);
  });
});

describe('secrets', () => {
  it('are not in logs or spans', async () => {
    await call(`${platform.baseUrl}/exports/generic/?token=${token}&${MARCH}`, { token });
    await call(`${platform.baseUrl}/exports/${token}/`, { token });
    await call(`${platform.baseUrl}/exports/`, { token, headers: { 'x-request-id': `job-${token}` } });
    await call(`${platform.baseUrl}/exports/`, { headers: { authorization: `Bearer ${token}` } });
    await otlp.next(({ service, attributes }) => service === 'gateway' && JSON.stringify(attributes).includes('404'));
    const secret = token.slice('stu_'.length);
    for (const [file, text] of await readLogs(platform.home))
      expect({ file, leaks: text.includes(secret) }).toEqual({ file, leaks: false });
    expect(JSON.stringify(otlp.spans).includes(secret)).toBe(false);
    for (const { text } of events.messages) expect(text.includes(secret)).toBe(false);
  });

  it('include personal data in requests and messages', async () => {
    const email = 'ruebezahl@example.com';
    const said = [`q=Rübezahl`, `filter=department=${email}`, `columns=Rübezahl`, `ids=${email}`, `geheimnis=1`, `prefix=Rübezahl`];
    for (const parameter of said) {
      await call(`${platform.baseUrl}/exports/generic/?${MARCH}&${encodeURI(parameter)}`, { token });
      await call(`${platform.baseUrl}/employees/employees/?${encodeURI(parameter)}`, { token });
    }
    for (const path of [`employees/employees/${email}/`, `exports/R%C3%BCbezahl/`, `${email}/`, 'tasks/tasks/geheimnis/'])
      await call(`${platform.baseUrl}/${path}`, { token, headers: { 'user-agent': `geheimnis ${email}`, 'x-forwarded-for': 'geheimnis' } });
    for (const body of [`{"code": "Rübezahl`, JSON.stringify({ code: 'Rübezahl', employee_id: email, reason: 'geheimnis' })]) {
      const headers = { 'content-type': 'application/json' };
      await call(`${platform.baseUrl}/reviews/suppressions/`, { method: 'POST', token, headers, body });
    }
    const wrong = { ...org.employee(22, 'Rübezahl', 'Rübezahl', { email }), hired_on: 'geheimnis' };
    await platform.importLines([org.employee(23, 'Rübezahl', 'Rübezahl', { email }), wrong]);
    const nats = await connect({ servers: platform.run.infra.nats.split(',') });
    const absenceType = { value: 'geheimnis', label: 'Rübezahl', category: 'other', credited: true };
    const objects: readonly [kind: string, body: string][] = [
      ['employee', JSON.stringify(wrong)],
      ['employee', `"Rübezahl" ${email}`],
      // Their reasons name what was wrong without quotation marks.
      ['employee', JSON.stringify({ ...wrong, kind: 'Rübezahl' })],
      ['institution', JSON.stringify(org.institution({ absence_types: [absenceType, absenceType] }))],
      ['geheimnis', JSON.stringify(wrong)],
    ];
    for (const [kind, body] of objects) await jetstream(nats).publish(ingestSubject(org.id(0), kind), body);
    await nats.close();
    const letters = /a message became a dead letter/g;
    await waitFor(async () => (await readLogs(platform.home)).get('records.log')?.match(letters)?.length === objects.length);
    await waitFor(() => otlp.spans.filter((span) => fits(span, { kind: SpanKind.consumer, name: /ingest/ })).length === objects.length);
    const written = new Map([...(await readLogs(platform.home)), ['spans', JSON.stringify(otlp.spans)]]);
    for (const [place, text] of written)
      for (const secret of ['Rübezahl', 'R%C3%BCbezahl', 'ruebezahl', 'geheimnis'])
        expect({ place, secret, leaks: text.includes(secret) }).toEqual({ place, secret, leaks: false });
  });

  it('are not in events, and neither are names of people', () => {
    for (const { text } of events.messages) expect(text).not.toMatch(/Abel|Anna/);
  });
});
