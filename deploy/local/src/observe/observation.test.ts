import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, Home, type Program } from '@stechuhr/local-infra';
import { topology } from '../topology.js';
import { startObservation, type Observation, type Sources } from './observation.js';
import { prometheusConfig } from './prometheus.js';
import { startViewerServer, type ViewerServer } from './viewer-server.js';
import type { Viewers } from './viewers.js';

const targets = Object.fromEntries(topology.map(({ name }, index) => [name, `127.0.0.1:${20_000 + index}`]));
const never = <T>(): Promise<T> => new Promise<T>(() => {});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stechuhr-viewers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates the pages of both viewers as they are in their Go modules. */
function pages(): Viewers {
  const [vmui, jaeger] = [join(folder, 'vmui'), join(folder, 'jaeger')];
  for (const path of [join(vmui, 'assets'), join(jaeger, 'static')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(vmui, 'index.html'), '<title>vmui</title>');
  writeFileSync(join(vmui, 'assets/index.js'), 'export {};');
  writeFileSync(join(jaeger, 'index.html'), gzipSync('<script>const JAEGER_CONFIG = DEFAULT_CONFIG;</script>'));
  writeFileSync(join(jaeger, 'static/index.css'), gzipSync('body {}'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  return { vmui, jaeger };
}

describe('startObservation', () => {
  let home: Home;
  let observation: Observation | undefined;
  let lines: string[];
  const stopping = (): AbortController => new AbortController();
  beforeEach(async () => {
    home = await Home.temporary();
    lines = [];
  });
  afterEach(async () => {
    await observation?.stop();
    await home.close();
  });

  async function start(sources: Sources, env: NodeJS.ProcessEnv = {}): Promise<Observation> {
    observation = await startObservation({ home, targets, env: { PATH: '', ...env }, log: (line) => lines.push(line), sources });
    return observation;
  }
  const logged = async (line: RegExp): Promise<string> => {
    for (;;) {
      const found = lines.find((each) => line.test(each));
      if (found !== undefined) return found;
      await new Promise(setImmediate);
    }
  };

  it('accepts spans and knows all addresses before any companion has been fetched', async () => {
    const { at, settings, begin } = await start({ prometheus: () => never(), viewers: () => never() });
    begin(stopping().signal);
    expect(settings).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: at.otlp, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    expect((await fetch(`${at.otlp}/v1/traces`, { method: 'POST', body: '{}' })).status).toBe(200);
    expect(Object.values(at).filter((address) => address !== null && !address.startsWith('http://127.0.0.1:'))).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('reports what cannot be fetched or started and what to install, and keeps running', async () => {
    const broken: Program<string> = {
      name: 'prometheus',
      description: 'Prometheus',
      probe: () => never(),
      launch: () => Promise.resolve({ command: 'false', args: [], address: 'http://127.0.0.1:1' }),
    };
    const { at, begin } = await start({
      prometheus: () => Promise.resolve(broken),
      viewers: () => Promise.reject(new Error('no go on PATH')),
    });
    begin(stopping().signal);
    expect(await logged(/viewers/)).toMatch(/^viewers could not be started: no go on PATH\. Install Go/);
    expect(await logged(/Prometheus/)).toMatch(/^Prometheus could not be started: prometheus ended \(1\)[\s\S]*Install prometheus/);
    const page = await fetch(`${at.traces}/trace/abc`);
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('no go on PATH')]);
  });

  it('reports the addresses of the pages when they are ready', async () => {
    const { at, begin } = await start({ prometheus: () => never(), viewers: () => Promise.resolve(pages()) });
    begin(stopping().signal);
    expect(await logged(/vmui/)).toMatch(
      /^Jaeger's pages and vmui: ready at http:\/\/127\.0\.0\.1:\d+ and http:.*\/vmui\/ after \d+\.\d s$/,
    );
    expect((await fetch(`${at.traces}/trace/abc`)).status).toBe(200);
  });

  it('leaves spans to the OTLP endpoint that the environment names', async () => {
    const { at, settings } = await start(
      { prometheus: () => never(), viewers: () => never() },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otlp' },
    );
    expect([at.traces, at.otlp, settings]).toEqual([null, 'http://otlp', {}]);
  });
});

describe('the server of the viewers', () => {
  let server: ViewerServer;
  let metrics: Server;
  beforeEach(async () => {
    metrics = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => response.end(JSON.stringify({ path: request.url, body })));
      if (request.method === 'GET') response.end(JSON.stringify({ path: request.url }));
    });
    await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve));
    const { port } = metrics.address() as AddressInfo;
    server = await startViewerServer(await freePort(), { prometheus: `http://127.0.0.1:${port}`, services: ['gateway'] });
  });
  afterEach(async () => {
    await server.stop();
    metrics.closeAllConnections();
    metrics.close();
  });
  const at = (path: string, init?: RequestInit): Promise<Response> => fetch(`${server.url}${path}`, init);

  it('forwards queries of vmui to Prometheus', async () => {
    expect(await (await at('/api/v1/labels?limit=1')).json()).toEqual({ path: '/api/v1/labels?limit=1' });
    const query = await at('/api/v1/query_range', { method: 'POST', body: new URLSearchParams({ query: 'up' }) });
    expect(await query.json()).toEqual({ path: '/api/v1/query_range', body: 'query=up' });
    metrics.closeAllConnections();
    await new Promise((resolve) => metrics.close(resolve));
    const none = await at('/api/v1/labels');
    expect([none.status, await none.json()]).toEqual([503, expect.objectContaining({ status: 'error', errorType: 'unavailable' })]);
  });

  it('serves the dashboards of the chart to vmui', async () => {
    const { dashboardsSettings } = (await (await at('/vmui/custom-dashboards')).json()) as { dashboardsSettings: { title: string }[] };
    expect(dashboardsSettings.map(({ title }) => title)).toEqual(expect.arrayContaining(['overview', 'a service']));
  });

  it('answers 503 with a refresh header until the pages are downloaded', async () => {
    const page = await at('/');
    expect([page.status, page.headers.get('refresh')]).toEqual([503, '3']);
  });

  it.each([
    ['/', 200, 'text/html; charset=utf-8', '"menuEnabled":false'],
    ['/search', 200, 'text/html; charset=utf-8', '/vmui/#/dashboards'],
    ['/trace/0af7651916cd43dd8448eb211c80319c', 200, 'text/html; charset=utf-8', 'JAEGER_CONFIG = {'],
    ['/static/index.css', 200, 'text/css; charset=utf-8', 'body {}'],
    ['/vmui/', 200, 'text/html; charset=utf-8', '<title>vmui</title>'],
    ['/vmui/assets/index.js', 200, 'text/javascript; charset=utf-8', 'export {};'],
    ['/vmui/none', 404, 'text/plain; charset=utf-8', 'no such page'],
    ['/vmui/..%2fsecret.txt', 404, 'text/plain; charset=utf-8', 'no such page'],
    ['/static/none.js', 404, 'text/plain; charset=utf-8', 'no such page'],
    ['/api/dependencies', 404, 'application/json', 'not found'],
  ])('answers %s with %i and a policy against loading from other hosts', async (path, status, type, content) => {
    server.show(pages());
    const page = await at(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([status, type]);
    expect(await page.text()).toContain(content);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
  });

  it('rejects a request that contains no valid spans', async () => {
    expect((await at('/v1/traces', { method: 'POST', body: 'x' })).status).toBe(400);
  });
});

describe('the configuration of Prometheus', () => {
  it('has exactly one job for each service, with its name', () => {
    const { scrape_configs: jobs } = prometheusConfig(targets) as {
      readonly scrape_configs: readonly { readonly job_name: string; readonly static_configs: readonly { readonly targets: string[] }[] }[];
    };
    expect(jobs.map(({ job_name, static_configs }) => [job_name, static_configs[0]?.targets])).toEqual(
      topology.map(({ name }, index) => [name, [`127.0.0.1:${20_000 + index}`]]),
    );
  });
});
