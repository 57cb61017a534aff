import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ingestSubject, PROVISIONING_LOCK, streams, subscriberDurable, subscriptions } from '@stechuhr/contracts';
import type { AppErrorCode } from '@stechuhr/kernel';
import { topology } from '@stechuhr/local';
import { provideTool } from '@stechuhr/local-infra';
import { loopbackCertificate, waitFor } from '@stechuhr/testing';
import { parse } from 'yaml';
import { call, query } from './support/http.js';
import { Organization } from './support/organization.js';
import { startTestPlatform, WITH_TELEMETRY, type TestPlatform } from './support/platform.js';
import { finishedTask } from './support/tasks.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILES = join(ROOT, 'helm/stechuhr/files');
const ALERT_TESTS = ['alerts.test.yaml', 'alerts-of-days.test.yaml'].map((name) => join(ROOT, 'deploy/observability', name));
const run = promisify(execFile);

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook_url: string };
}

const { groups } = parse(readFileSync(join(FILES, 'alerts.yaml'), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [rule.alert]));
const dashboards = readdirSync(join(FILES, 'dashboards')).map((file) => readFileSync(join(FILES, 'dashboards', file), 'utf8'));
const shown = dashboards.flatMap((text) => {
  const { panels } = JSON.parse(text) as { readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
});

/** Counters in `increase()` of alerts, as `name` or `name{label="value"}`. */
const increasing = rules.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+(?:\{[^}]*\})?)\[/g)].map(([, counter = '']) => counter));
/** Counters with a label by which expressions sum or select, with all values of the label. */
const byLabel: Readonly<Record<string, readonly string[]>> = {
  'stechuhr_bus_published_total{kind="events",result=': ['ok', 'failed'],
  'stechuhr_bus_dead_letters_total{origin=': [...new Set(subscriptions.map(({ deadLetter }) => deadLetter))],
  'stechuhr_jobs_attempts_total{end=': ['finished', 'lost', 'released', 'failed'],
  'stechuhr_limits_refused_total{limit=': [
    'requests',
    'institution_requests',
    'concurrent_requests',
    'institution_concurrent_requests',
    'exports',
    'concurrent_exports',
    'held_bytes',
  ],
  'stechuhr_rpc_refused_total{limit=': ['calls', 'connection_calls'],
  'stechuhr_responses_total{status=': ['2xx', '3xx', '4xx', '5xx'],
  'stechuhr_tasks_events_total{event="failed",cause=': ['failures', 'lost-leases', 'invalid'],
};
const everyLabel = Object.entries(byLabel).flatMap(([start, values]) => values.map((value) => `${start}"${value}"}`));

/** Counters with a label whose values nobody knows in advance. */
const WITH_OPEN_LABELS = ['stechuhr_tenant_requests_total'];

/**
 * Label values that the platform of this suite does not produce, because nothing fails in it and no other team reads events. The compiler checks the
 * codes; tests of the libraries check the others.
 */
const OTHER_VALUES: Readonly<Record<string, readonly string[]>> = {
  'stechuhr_rpc_server_duration_count code': ['cancelled', 'internal', 'invalid', 'not_found', 'unavailable'] satisfies (
    AppErrorCode | 'cancelled'
  )[],
  'stechuhr_objectstore_duration_count outcome': ['failed'],
  'stechuhr_tenant_requests_total status': ['5xx'],
  'stechuhr_bus_lag durable': [subscriberDurable({ user: 'erp' })],
  'stechuhr_bus_place durable': [subscriberDurable({ user: 'erp' })],
};

/** Labels that Prometheus adds to every series. */
const FROM_PROMETHEUS = ['job', 'instance', 'namespace', 'release'];

/** Returns the labels by which an expression sums or selects. */
function labelsIn(expr: string): string[] {
  const summed = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  const chosen = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)"/g)].map(([, name = '']) => name);
  return [...summed, ...chosen];
}

/** A condition of a selector, such as `stechuhr_responses_total{status="5xx"}`. */
interface Condition {
  readonly metric: string;
  readonly label: string;
  /** Each of them has to match a value of the label. */
  readonly patterns: readonly RegExp[];
}

/** Returns the conditions of an expression, except for labels of Prometheus and variables of dashboards. */
function conditionsIn(expr: string): Condition[] {
  const selectors = [...expr.matchAll(/\b((?:stechuhr|http|nodejs|v8js|db)_\w+)\{([^}]*)\}/g)];
  return selectors.flatMap(([, metric = '', list = '']) =>
    [...list.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)]
      .filter(([, label = '', , value = '']) => !FROM_PROMETHEUS.includes(label) && !value.includes('$'))
      .map(([, label = '', operator = '', value = '']) => ({ metric, label, patterns: patternsOf(operator, value) })),
  );
}

/** The alternatives of a pattern are checked one by one, unless they are inside of it. */
function patternsOf(operator: string, value: string): RegExp[] {
  if (!operator.endsWith('~')) return [new RegExp(`^${value.replaceAll(/\W/g, '\\$&')}$`)];
  return (/[()[]/.test(value) ? [value] : value.split('|')).map((one) => new RegExp(`^(?:${one})$`));
}

/** Returns the names of metrics in expressions, our own and those of instrumentations. */
function metricsIn(expressions: readonly string[]): string[] {
  const bare = expressions.map((expr) => expr.replace(/\bby \([^)]*\)|\{[^}]*\}/g, ' '));
  return [...new Set(bare.flatMap((expr) => expr.match(/\b(?:stechuhr|http|nodejs|v8js|db)_[a-z0-9_]+(?=[[)\s]|$)/g) ?? []))];
}

describe('alert rules', () => {
  it('pass their promtool tests', async () => {
    const promtool = await provideTool('promtool');
    await expect(run(promtool, ['check', 'rules', join(FILES, 'alerts.yaml')])).resolves.toMatchObject({
      stdout: expect.stringContaining('SUCCESS'),
    });
    await expect(run(promtool, ['test', 'rules', ...ALERT_TESTS])).resolves.toMatchObject({ stdout: expect.stringContaining('SUCCESS') });
  });

  it('have a valid configuration for Compose according to promtool', async () => {
    const config = join(ROOT, 'deploy/observability/prometheus.yaml');
    const checked = run(await provideTool('promtool'), ['check', 'config', '--syntax-only', config]);
    await expect(checked).resolves.toMatchObject({ stdout: expect.stringContaining('SUCCESS') });
  });

  it('cover every service except the worker, which may be scaled to zero', () => {
    const exprOf = (alert: string): string => rules.find((each) => each.alert === alert)?.expr ?? '';
    const names = topology.map(({ name }) => name).sort();
    expect(/job=~"([^"]*)"/.exec(exprOf('StechuhrServiceIsDown'))?.[1]?.split('|').sort()).toEqual(names);
    const missed = [...exprOf('StechuhrServiceIsMissing').matchAll(/absent\(up\{job="([^"]*)"\}\)/g)].map(([, name = '']) => name);
    expect(missed.sort()).toEqual(names.filter((name) => name !== 'worker'));
  });

  it.each(alerts)('%s has a test and an entry in the runbook', (alert) => {
    const rule = rules.find((each) => each.alert === alert);
    expect(rule?.annotations?.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8')).toContain(`\n## ${alert}\n`);
    expect(ALERT_TESTS.map((file) => readFileSync(file, 'utf8')).join('')).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:\\n`));
  });
});

it('dashboards select every series by namespace and release, so that installations are not mixed', () => {
  const series = shown.flatMap(
    (expr) => expr.replace(/\bby \([^)]*\)/g, '').match(/\b(?:stechuhr|http|nodejs|v8js|db)_\w+(?![\w=!])(?:\{[^}]*\})?/g) ?? [],
  );
  expect(series.length).toBeGreaterThan(40);
  expect(series.filter((one) => !one.includes('{namespace=~"$namespace", release=~"$release"'))).toEqual([]);
});

describe('a running platform', () => {
  const org = new Organization(31);
  const [ADMIN, ABEL] = [1, 21];
  const MARCH = { daterange: '2026-03-01|2026-03-31', types: 'work-time:hours', columns: 'last-name|value' };
  let folder: string;
  let platform: TestPlatform;
  let nats: NatsConnection;
  let token: string;
  /** Values by metric name and label. */
  let emitted: Emitted;
  /** Lines that existed before any activity; those of counters at 0 without their value. */
  let atFirst: readonly string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stechuhr-certificates-'));
    const identities = identitiesIn(folder);
    platform = await startTestPlatform(
      { ...WITH_TELEMETRY, EXPORT_RATE_LIMIT_PER_MINUTE: '2' },
      ['tasks', 'worker', 'daily-reports', 'webhooks'],
      { services: identities, cli: identities['toolbox'] ?? {} },
    );
    nats = await connect({ servers: platform.infra.natsUrl });
    // Counters are initialized shortly after a service is ready.
    await waitFor(async () => (await seriesOf(platform)).some((line) => line.includes('{origin="webhooks"}')) || undefined);
    atFirst = (await seriesOf(platform)).map((line) => line.replace(/ 0$/, ''));
    const lines = [
      org.institution(),
      org.account(ADMIN, 'admin'),
      org.employee(ABEL, 'Anna', 'Abel', {}),
      org.shift(41, ABEL, { date: '2026-03-02', start: '08:00', end: '16:30' }),
    ];
    expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
    token = await platform.issueToken(org.id(ADMIN));
    const webhook = {
      method: 'POST',
      body: JSON.stringify({ url: 'https://name.invalid/' }),
      headers: { 'content-type': 'application/json' },
    };
    expect((await call(`${platform.baseUrl}/webhooks/`, { token, ...webhook })).status).toBe(201);
    const address = (parameters: Readonly<Record<string, string>>): string =>
      `${platform.baseUrl}/exports/generic/?${query({ ...MARCH, ...parameters })}`;
    expect((await call(address({}), { token })).status).toBe(200);
    await finishedTask(address({ is_async: 'true' }), token);
    expect((await call(address({ export_format: 'json' }), { token })).status).toBe(429);
    await jetstream(nats).publish(ingestSubject(org.id(0), 'employee'), 'no JSON');
    emitted = await waitFor(async () => {
      const names = await emittedMetrics(platform);
      return names.has('stechuhr_bus_dead_letters_total') &&
        names.has('stechuhr_tasks_took_count') &&
        names.has('stechuhr_webhooks_attempt_count')
        ? names
        : undefined;
    });
  });

  afterAll(async () => {
    await nats.close();
    await platform.stop();
    rmSync(folder, { recursive: true });
  });

  it('initializes counters of alerts with 0, because `increase()` does not detect the first count of a series that begins with 1', () => {
    expect(increasing).toContain('stechuhr_tasks_events_total{event="failed", cause!="invalid"}');
    const nameOf = (counter: string): string => counter.replace(/\{.*/, '');
    const byOne = new Set(Object.keys(byLabel).map(nameOf));
    const labelled = increasing.filter((counter) => !byOne.has(nameOf(counter)));
    expect([...labelled, ...everyLabel].filter((counter) => !atFirst.includes(counter))).toEqual([]);
  });

  it('has no other counter that begins with its first increase, unless its labels are not known in advance', async () => {
    const nameOf = (line: string): string => line.replace(/ [^ ]+$/, '');
    const known = new Set(atFirst.map((line) => (/ [\d.]+$/.test(line) ? nameOf(line) : line)));
    const counters = (await seriesOf(platform)).filter((line) => /^stechuhr_\w+_total[{ ]/.test(line)).map(nameOf);
    expect(new Set(counters).size).toBeGreaterThan(100);
    expect(counters.filter((series) => !known.has(series) && !WITH_OPEN_LABELS.includes(series.replace(/\{.*/, '')))).toEqual([]);
  });

  it('emits all metrics of dashboards and alerts', () => {
    const named = metricsIn([...shown, ...rules.map(({ expr }) => expr)]);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !emitted.has(name))).toEqual([]);
  });

  it('emits them with the labels by which they are selected and summed', () => {
    const missing = [...shown, ...rules.map(({ expr }) => expr)].flatMap((expr) => {
      const known = new Set([...FROM_PROMETHEUS, ...metricsIn([expr]).flatMap((name) => [...(emitted.get(name)?.keys() ?? [])])]);
      return labelsIn(expr)
        .filter((label) => metricsIn([expr]).length > 0 && !known.has(label))
        .map((label) => `${label} in ${expr}`);
    });
    expect(shown.flatMap(labelsIn).length).toBeGreaterThan(40);
    expect(missing).toEqual([]);
  });

  it('emits the label values for which they are selected', () => {
    const conditions = [...shown, ...rules.map(({ expr }) => expr)].flatMap(conditionsIn);
    expect(conditions.length).toBeGreaterThan(20);
    const missing = conditions.flatMap(({ metric, label, patterns }) => {
      const values = [...(emitted.get(metric)?.get(label) ?? []), ...(OTHER_VALUES[`${metric} ${label}`] ?? [])];
      const unmatched = patterns.filter((pattern) => !values.some((value) => pattern.test(value)));
      return unmatched.map((pattern) => `${metric} ${label} ${String(pattern)}`);
    });
    expect(missing).toEqual([]);
  });

  it('emits the metrics of dashboard variables', () => {
    const variables = dashboards.flatMap((text) => [...text.matchAll(/label_values\((\w+)/g)].map(([, name = '']) => name));
    expect(variables).not.toEqual([]);
    expect(variables.filter((name) => !emitted.has(name))).toEqual([]);
  });

  it('has all of its own metrics on dashboards', () => {
    const own = [...emitted.keys()].filter((name) => name.startsWith('stechuhr_') && !/_(sum|bucket)$/.test(name));
    const onDashboards = metricsIn(shown).map((name) => name.replace(/_(bucket|sum)$/, '_count'));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((name) => !onDashboards.includes(name))).toEqual([]);
  });

  it.each([
    [
      'whose client disconnects',
      'POST /api/v2/webhooks/ HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue',
      1,
      /http_route="[^"]*webhooks/,
    ],
    ['that wait behind too many others', 'GET /api/v2/webhooks/ HTTP/1.1', 150, /^(?!.*http_route)/],
  ])('counts requests %s without a response as 499 and not as 200', async (_, start, count, labels) => {
    const { port, hostname } = new URL(platform.baseUrl);
    const socket = connectTo(Number(port), hostname);
    socket.write(`${start}\r\nHost: x\r\nAuthorization: Token ${token}\r\n\r\n`.repeat(count));
    // The interim response, or the reset of the connection.
    await once(socket, 'data').catch(() => undefined);
    socket.destroy();
    const counted = (line: string) => line.startsWith('http_server_request_duration_count') && line.includes('="499"') && labels.test(line);
    await waitFor(async () => (await seriesOf(platform)).some(counted));
  });

  it('has exactly the consumers in the table of subscriptions', async () => {
    const manager = await jetstreamManager(nats);
    const wanted = subscriptions.map(({ stream, durable, filterSubject }) => `${stream} ${durable} ${filterSubject}`).sort();
    const found = async (): Promise<string[]> => {
      const lines: string[] = [];
      for (const { name } of Object.values(streams)) {
        for await (const { config } of manager.consumers.list(name)) {
          if (config.durable_name !== PROVISIONING_LOCK) lines.push(`${name} ${config.durable_name} ${config.filter_subject}`);
        }
      }
      return lines.sort();
    };
    // A service is ready before its consumers exist.
    await waitFor(async () => (await found()).length >= wanted.length || undefined);
    expect(await found()).toEqual(wanted);
  });
});

/** Creates a self-signed certificate for each service and the command line, all of which trust each other. */
function identitiesIn(folder: string): Record<string, { readonly GRPC_TLS_FOLDER: string }> {
  const made = [...topology.map(({ name }) => name), 'toolbox'].map((name) => ({ name, ...loopbackCertificate(name) }));
  const authorities = made.map(({ cert }) => cert).join('');
  return Object.fromEntries(
    made.map(({ name, cert, key }) => {
      const mounted = join(folder, name);
      mkdirSync(mounted);
      for (const [file, text] of Object.entries({ 'ca.crt': authorities, 'tls.crt': cert, 'tls.key': key }))
        writeFileSync(join(mounted, file), text);
      return [name, { GRPC_TLS_FOLDER: mounted }];
    }),
  );
}

/** Returns the metrics of all services in the Prometheus text format. */
async function seriesOf({ run: { services } }: TestPlatform): Promise<string[]> {
  const texts = await Promise.all(Object.values(services).map(async ({ admin }) => (await fetch(`http://${admin}/metrics`)).text()));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !line.startsWith('#'));
}

type Emitted = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

async function emittedMetrics(platform: TestPlatform): Promise<Emitted> {
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const line of await seriesOf(platform)) {
    const [, name = '', list = ''] = /^([a-z0-9_]+)(?:\{(.*)\})?/.exec(line) ?? [];
    const labels = metrics.get(name) ?? new Map<string, Set<string>>();
    for (const [, label = '', value = ''] of list.matchAll(/(?:^|,)(\w+)="((?:[^"\\]|\\.)*)"/g))
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
    metrics.set(name, labels);
  }
  return metrics;
}
