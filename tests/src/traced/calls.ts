import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { ingestSubject } from '@stechuhr/contracts';
import { createLogger } from '@stechuhr/service';
import { buildTimespan, buildWorkday } from '@stechuhr/testing';
import { entryLine } from '../support/daily-reports.js';
import { call, type Answer } from '../support/http.js';
import { Organization } from '../support/organization.js';
import { callsOf, SpanKind, type SpanPattern, type TracedCall } from '../support/traces.js';
import { otlp, platform } from './platform.js';

const org = new Organization(12);
const [ADMIN, ANNA, BERND, SITE] = [1, 21, 22, 31];
const DAY = '2026-05-04';
const HOURS = { started_at: `${DAY}T07:00:00`, ended_at: `${DAY}T15:00:00` };
const work = buildTimespan({ ...HOURS, id: org.id(41), project_id: org.id(SITE), comment: null });

let bus: Bus;
let token: string;

beforeAll(async () => {
  bus = await connectBus({ servers: platform.run.infra.nats, name: 'test', logger: createLogger('test', 'fatal') });
  const absenceTypes = [{ value: 'vacation', label: 'Urlaub', category: 'vacation' as const, credited: true }];
  const { rejected } = await platform.importLines([
    org.institution({ absence_types: absenceTypes }),
    org.account(ADMIN, 'admin'),
    org.employee(ANNA, 'Anna', 'Abel'),
    org.employee(BERND, 'Bernd', 'Boldt'),
    { ...org.project(SITE, 'S-1'), daily_reports_enabled: true },
    buildWorkday({ id: org.id(42), institution_id: org.id(0), employee_id: org.id(ANNA), date: DAY, ...HOURS, timespans: [work] }),
  ]);
  expect(rejected).toEqual([]);
  token = await platform.issueToken(org.id(ADMIN));
});
afterAll(() => bus.close());

const newTrace = () => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
};
const GATEWAY: SpanPattern = { service: 'gateway', kind: SpanKind.server };
const named = (calls: readonly TracedCall[]) => calls.map(({ name }) => name).sort();

interface Traced extends Answer {
  readonly calls: readonly TracedCall[];
}

/** Sends a request. @returns the response and the calls between services that it caused */
async function traced(method: string, path: string, body?: object): Promise<Traced> {
  const { traceId, traceparent } = newTrace();
  const headers = { traceparent, ...(body && { 'content-type': 'application/json' }) };
  const answer = await call(`${platform.baseUrl}/${path}`, { method, token, headers, ...(body && { body: JSON.stringify(body) }) });
  return { ...answer, calls: await callsOf(otlp, traceId, GATEWAY) };
}

/** Publishes a live object. @returns the calls that its service made until the object was stored */
async function publish(kind: string, service: string, line: object): Promise<readonly TracedCall[]> {
  const { traceId, traceparent } = newTrace();
  await bus.publish(ingestSubject(org.id(0), kind), JSON.stringify({ kind, institution_id: org.id(0), ...line }), {
    headers: { traceparent },
  });
  return callsOf(otlp, traceId, { service, kind: SpanKind.consumer });
}

/** Precision of a span's start in nanoseconds. A call may be shorter. */
const START_PRECISION = 1_000_000n;

/** Number of attempts: on a busy machine a call may end before its process has started the other one. */
const TRIES = 8;

/** Repeats a request until calls with these names overlap. Calls that wait for one another never do. @throws Error after eight attempts */
async function expectConcurrent(names: readonly string[], ask: () => Promise<readonly TracedCall[]>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const chosen = (await ask()).filter(({ name }) => names.includes(name));
    expect(named(chosen)).toEqual(names);
    if (overlap(chosen)) return;
  }
  throw new Error(`${names.join(' and ')} are called sequentially.`);
}

/** Returns whether the calls overlap in time. */
function overlap(chosen: readonly TracedCall[]): boolean {
  const starts = chosen.map(({ startedAt }) => startedAt).toSorted((a, b) => (a < b ? -1 : 1));
  const [firstStart = 0n, lastStart = 0n] = [starts[0], starts.at(-1)];
  const firstEnd = chosen.map(({ endedAt }) => endedAt).reduce((a, b) => (a < b ? a : b));
  const sameTime = firstStart + START_PRECISION;
  return lastStart <= (firstEnd > sameTime ? firstEnd : sameTime);
}

const idOf = ({ json }: Answer) => (json as { readonly id: string }).id;

describe('a manual absence rule', () => {
  const path = 'timestamps/absence-rules/';
  const rule = (employee: number, fields: object = {}) => ({
    employee_id: org.id(employee),
    label: 'Sonderurlaub',
    missing_type: 'vacation',
    amount: '1.00',
    priority: 1,
    available_from: '2026-01-01',
    expires_at: '2026-12-31',
    ...fields,
  });
  const asked = ['records GetInstitution', 'records ListEntitlements'];

  it('makes one call to records for each reference in its body', async () => {
    const created = await traced('POST', path, rule(ANNA));
    expect(created.status).toBe(201);
    expect(named(created.calls)).toEqual(['absence-rules CreateRule', ...asked]);
    let amount = 1;
    const change = () => traced('PATCH', `${path}${idOf(created)}/`, rule(ANNA, { amount: `${String((amount += 1))}.00` }));
    const changed = await change();
    expect(changed.status).toBe(200);
    expect(named(changed.calls)).toEqual(['absence-rules UpdateRule', ...asked]);
    await expectConcurrent(asked, async () => (await change()).calls);
    // The previous employee is known only after the rule was read.
    const moved = await traced('PATCH', `${path}${idOf(created)}/`, rule(BERND));
    expect(named(moved.calls)).toEqual(['absence-rules UpdateRule', ...asked, 'records ListEntitlements']);
    const deleted = await traced('DELETE', `${path}${idOf(created)}/`);
    expect(deleted.status).toBe(204);
    expect(named(deleted.calls)).toEqual(['absence-rules DeleteRule', 'records ListEntitlements']);
  });
});

describe('a suppression rule', () => {
  it('makes one call to records, for the employee in its body', async () => {
    const path = 'reviews/suppressions/';
    const created = await traced('POST', path, { code: 'insufficient-break', employee_id: org.id(ANNA), valid_from: '2026-05-01' });
    expect(created.status).toBe(201);
    expect(named(created.calls)).toEqual(['records FindMissing', 'reviews CreateSuppression']);
    const changed = await traced('PATCH', `${path}${idOf(created)}/`, { valid_to: '2026-05-31' });
    expect(changed.status).toBe(200);
    expect(named(changed.calls)).toEqual(['reviews UpdateSuppression']);
    const moved = await traced('PATCH', `${path}${idOf(created)}/`, { employee_id: org.id(BERND) });
    expect(named(moved.calls)).toEqual(['records FindMissing', 'reviews UpdateSuppression']);
    const deleted = await traced('DELETE', `${path}${idOf(created)}/`);
    expect(named(deleted.calls)).toEqual(['reviews DeleteSuppression']);
  });
});

describe('an autofill', () => {
  it('reads the project and its day concurrently, and names only if something is written', async () => {
    const body = { tag: org.id(SITE), date: DAY };
    const first = await traced('POST', 'daily-reports/reports/autofill/', body);
    expect(first).toMatchObject({ status: 200, json: { filled: ['employee-working-times'] } });
    const asked = ['records GetRecord', 'records ReadProjectDay'];
    expect(named(first.calls)).toEqual(['daily-reports Autofill', 'records GetRecord', 'records ListRecords', 'records ReadProjectDay']);
    const again = () => traced('POST', 'daily-reports/reports/autofill/', body);
    expect(named((await again()).calls)).toEqual(['daily-reports Autofill', ...asked]);
    await expectConcurrent(asked, async () => (await again()).calls);
  });
});

describe('a live object of another service', () => {
  it('makes its service check all references with one call', async () => {
    // The check is repeated after writing, because the institution may have been deleted in the meantime.
    expect(named(await publish('review_settings', 'reviews', { checks: null }))).toEqual(['records FindMissing', 'records FindMissing']);
    const place = { project: SITE, date: DAY, author: ADMIN };
    expect(
      named(await publish('daily_report_entry', 'daily-reports', entryLine(org, 51, place, { field_id: 'comments', value: 'a' }))),
    ).toEqual(['records FindMissing']);
  });

  it('and one concurrent call for the name of the employee if it is not in the object', async () => {
    let hours = 0;
    const change = () => {
      const values = { field_id: 'employee-working-times', hours: ++hours, on_behalf_of_id: org.id(BERND) };
      return publish('daily_report_entry', 'daily-reports', entryLine(org, 52, { project: SITE, date: DAY, author: ADMIN }, values));
    };
    const asked = ['records FindMissing', 'records ListRecords'];
    expect(named(await change())).toEqual(asked);
    await expectConcurrent(asked, change);
  });
});
