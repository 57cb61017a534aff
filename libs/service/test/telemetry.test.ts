import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOtlpReceiver, testServers, type OtlpReceiver, type ReceivedSpan, type TestServers } from '@stechuhr/testing';

interface LogLine {
  readonly msg: string;
  readonly trace_id?: string;
  readonly metrics?: string;
  readonly request?: string;
}

interface Run {
  readonly code: number;
  readonly lines: readonly LogLine[];
}

let servers: TestServers;
let receiver: OtlpReceiver;
let observed: Run;

/** Runs the probe like a service: as an ES module, with the preload. */
async function runProbe(environment: Readonly<Record<string, string>>): Promise<Run> {
  const child = spawn(process.execPath, ['--import', '@stechuhr/service/telemetry', 'probe.mjs'], {
    cwd: join(import.meta.dirname, 'fixtures'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      MONGODB_URL: servers.mongodbUrl,
      MONGODB_DATABASE: servers.database('probe'),
      NATS_URL: servers.natsUrl,
      REDIS_URL: servers.redisUrl,
      ...environment,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number];
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
  return { code, lines };
}

beforeAll(async () => {
  servers = await testServers();
  receiver = await startOtlpReceiver();
  observed = await runProbe({ ...receiver.environment, OTEL_SERVICE_NAME: 'probe' });
});

afterAll(async () => {
  await receiver.stop();
  await servers.stop();
});

/** Returns the only span of a scope and kind. */
function span(scope: string, kind: number): ReceivedSpan {
  const found = receiver.spans.filter((candidate) => candidate.scope === scope && candidate.kind === kind);
  expect(found).toHaveLength(1);
  const [only] = found;
  if (only === undefined) throw new Error(`No span of ${scope}.`);
  return only;
}

describe('a process with the telemetry preload', () => {
  it('records a span for each step of a request, each a child of the previous one', () => {
    expect(observed.code).toBe(0);
    const instrumentation = '@opentelemetry/instrumentation-';
    const http = span(`${instrumentation}http`, 2);
    const client = span(`${instrumentation}grpc`, 3);
    const server = span(`${instrumentation}grpc`, 2);
    const publish = span('@stechuhr/bus', 4);
    expect(http).toMatchObject({ service: 'probe', name: 'GET /institutions/:id' });
    expect([client.parentSpanId, server.parentSpanId]).toEqual([http.spanId, client.spanId]);
    for (const leaf of [span(`${instrumentation}mongodb`, 3), span(`${instrumentation}ioredis`, 3), publish]) {
      expect(leaf.parentSpanId).toBe(server.spanId);
    }
    expect(span('@stechuhr/bus', 5)).toMatchObject({ parentSpanId: publish.spanId, traceId: http.traceId });
  });

  it('logs the trace id', () => {
    const handled = observed.lines.find(({ msg }) => msg === 'handled');
    expect(handled?.trace_id).toBe(span('@opentelemetry/instrumentation-grpc', 2).traceId);
  });

  it('records no header, argument, filter or token', () => {
    const exported = JSON.stringify(receiver.spans);
    for (const secret of [
      'header-secret',
      'agent-secret',
      'forwarded-secret',
      'query-secret',
      'path-secret',
      'c0ffee',
      'secret-key',
      'personal data',
    ])
      expect(exported).not.toContain(secret);
  });

  it('records only the host of an outgoing request', () => {
    const { attributes } = span('@opentelemetry/instrumentation-http', 3);
    expect(attributes['url.full']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\[redacted\]$/);
  });

  it('passes the trace on to others, but not the baggage of a client', () => {
    const request = observed.lines.find(({ msg }) => msg === 'called')?.request ?? '';
    expect(request).toContain(`traceparent: 00-${span('@opentelemetry/instrumentation-http', 2).traceId}-`);
    expect(request).not.toContain('baggage');
  });

  it('measures outgoing requests, but not by host', () => {
    const metrics = observed.lines.find(({ msg }) => msg === 'scraped')?.metrics ?? '';
    expect(metrics).toContain('http_client_request_duration_count{http_request_method="GET"');
    expect(metrics).not.toMatch(/server_(address|port)/);
  });

  it('provides rates, errors and durations to a scrape', () => {
    const metrics = observed.lines.find(({ msg }) => msg === 'scraped')?.metrics ?? '';
    for (const name of [
      'http_server_request_duration_count',
      'stechuhr_rpc_server_duration_count{rpc_method="stechuhr.records.v1.RecordsService/GetInstitution",code="ok"',
      'stechuhr_bus_published_total{kind="jobs",result="ok"',
      'stechuhr_bus_handled_count{durable="probe",outcome="ok"',
    ]) {
      expect(metrics).toContain(name);
    }
  });

  it('reports which dependencies it reaches, like its readiness', () => {
    const metrics = observed.lines.find(({ msg }) => msg === 'scraped')?.metrics ?? '';
    const said = [...metrics.matchAll(/^stechuhr_dependency_reachable\{dependency="(\w+)".*\} (\d)/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(said).toEqual([
      ['records', '1'],
      ['nats', '0'],
      ['s3', '0'],
    ]);
  });
});

describe('without a destination for spans', () => {
  it('the log still connects the lines of one call', async () => {
    const { code, lines } = await runProbe({});
    expect(code).toBe(0);
    expect(lines.find(({ msg }) => msg === 'handled')?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('OTEL_SDK_DISABLED', () => {
  it('disables telemetry', async () => {
    const { code, lines } = await runProbe({ OTEL_SDK_DISABLED: 'true' });
    expect(code).toBe(0);
    expect(lines.find(({ msg }) => msg === 'handled')).not.toHaveProperty('trace_id');
  });
});
