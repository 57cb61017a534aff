import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cacheFolder } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import type { RunFile } from '../src/index.js';
import { topology } from '../src/topology.js';
import { end, stillRunning, testHome, type Starter } from './starter.js';

/** A minimal Grafana that answers with its arguments and its provisioning folder. */
const GRAFANA = `#!${process.execPath}
const { GF_SERVER_HTTP_ADDR: host, GF_SERVER_HTTP_PORT: port, GF_PATHS_PROVISIONING: provisioning } = process.env;
const answered = JSON.stringify({ args: process.argv.slice(2), provisioning });
require('node:http').createServer((request, response) => response.end(answered)).listen(Number(port), host);
`;
/** A Go that is installed but cannot download modules. */
const BROKEN_GO = '#!/bin/sh\n[ "$1" = version ] && exit 0\necho "no such module" >&2\nexit 1\n';

const home = testHome();
let programs: string;
let starter: Starter;
let run: RunFile;
let observe: NonNullable<RunFile['observe']>;

beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'stechuhr-programs-'));
  mkdirSync(join(programs, 'grafana-home', 'conf'), { recursive: true });
  mkdirSync(join(programs, 'grafana-home', 'bin'));
  writeFileSync(join(programs, 'grafana-home/conf/defaults.ini'), '');
  writeFileSync(join(programs, 'grafana-home/bin/grafana'), GRAFANA, { mode: 0o755 });
  writeFileSync(join(programs, 'go'), BROKEN_GO, { mode: 0o755 });
  const settings = {
    STECHUHR_CACHE: cacheWithoutViewers(),
    PATH: [programs, process.env['PATH']].join(delimiter),
    GRAFANA_BIN: join(programs, 'grafana-home/bin/grafana'),
    OTEL_SDK_DISABLED: 'false',
  };
  starter = home.start(settings, { args: ['--observe'] });
  run = await home.ready(starter);
  if (run.observe === undefined) throw new Error('run.json has no addresses of observability tools');
  observe = run.observe;
});
/** Returns a cache folder with everything that this machine has fetched except the pages of the viewers. */
function cacheWithoutViewers(): string {
  const [cache, own] = [cacheFolder(process.env), join(programs, 'cache')];
  mkdirSync(own);
  for (const entry of readdirSync(cache).filter((name) => !name.startsWith('github.com-')))
    symlinkSync(join(cache, entry), join(own, entry));
  return own;
}
afterAll(() => {
  home.remove();
  rmSync(programs, { recursive: true });
});

/** Queries Prometheus through the server of the viewers. */
async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`${observe.otlp}/api/v1/${path}`);
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { readonly data: T }).data;
}

/** Resolves when the starter has printed a matching line. */
function printed(line: RegExp): Promise<RegExpExecArray> {
  return waitFor(() => Promise.resolve(line.exec(starter.output()) ?? undefined));
}

interface Vector {
  readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }[];
}

describe('npm start -- --observe', () => {
  it('is ready before the observability tools, and reports when each of them is ready', async () => {
    const [ready, metrics, grafana] = await Promise.all([
      printed(/Stechuhr is ready at/),
      printed(/Prometheus over .*/),
      printed(/Grafana with .*/),
    ]);
    expect(metrics[0]).toMatch(
      new RegExp(`^Prometheus over ${topology.length} services: ready at ${observe.prometheus} after \\d+\\.\\d s$`),
    );
    expect(grafana[0]).toMatch(new RegExp(`^Grafana with the dashboards: ready at ${observe.grafana} after \\d+\\.\\d s$`));
    expect(Math.min(metrics.index, grafana.index)).toBeGreaterThan(ready.index);
  });

  it('has Prometheus scrape every running service', async () => {
    const up = await waitFor(async () => {
      const { result } = await ask<Vector>('query?query=up').catch(() => ({ result: [] }));
      return result.length === topology.length && result.every(({ value }) => value[1] === '1') ? result : undefined;
    });
    const found = up.map(({ metric }) => `${metric['job'] ?? ''} ${metric['instance'] ?? ''}`).sort();
    expect(found).toEqual(
      Object.entries(run.services)
        .map(([name, { admin }]) => `${name} ${admin}`)
        .sort(),
    );
    expect(found).toHaveLength(topology.length);
  });

  it('collects business metrics and evaluates the alert rules of the chart', async () => {
    await waitFor(async () => {
      const { result } = await ask<Vector>('query?query=stechuhr_outbox_age');
      return result.some(({ metric }) => metric['job'] === 'records') || undefined;
    });
    const { groups } = await ask<{ groups: { name: string; rules: { health: string; lastError?: string }[] }[] }>('rules');
    expect(groups.map(({ name }) => name).sort()).toEqual(['stechuhr-causes', 'stechuhr-objectives']);
    expect(groups.flatMap(({ rules }) => rules).filter(({ lastError }) => lastError)).toEqual([]);
  });

  it('finds traces by their ids', async () => {
    expect((await fetch(`${run.base_url}/`)).status).toBe(401);
    interface Traces {
      readonly data: readonly { readonly traceID: string }[];
    }
    const found = await waitFor(async () => {
      const { data } = (await (await fetch(`${observe.traces}/api/traces?service=gateway&limit=5`)).json()) as Traces;
      return data[0]?.traceID;
    });
    expect(await (await fetch(`${observe.traces}/api/traces/${found}`)).json()).toMatchObject({ data: [{ traceID: found }] });
    expect((await fetch(`${observe.traces}/api/traces/none`)).status).toBe(404);
  });

  it('runs without pages that cannot be fetched, and reports what to install', async () => {
    expect((await printed(/viewers could not be started: [\s\S]*?start again.*/))[0]).toMatch(/no such module[\s\S]*Install Go/);
    const page = await fetch(`${observe.traces}/`);
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('Install Go')]);
    expect((await fetch(`${run.base_url}/docs/`)).status).toBe(200);
  });

  it('provisions an installed Grafana with the dashboards and Prometheus', async () => {
    expect(observe.dashboards).toBe(observe.grafana);
    const answered = (await (await fetch(`${observe.grafana}/api/health`)).json()) as { args: string[]; provisioning: string };
    expect(answered.args).toEqual(['server', '--homepath', join(programs, 'grafana-home')]);
    const provisioned = (kind: string): string => readFileSync(join(answered.provisioning, kind, 'stechuhr.yaml'), 'utf8');
    expect(provisioned('datasources')).toContain(`"url": "${observe.prometheus}"`);
    const { providers } = JSON.parse(provisioned('dashboards')) as { providers: { options: { path: string } }[] };
    expect(readdirSync(providers[0]?.options.path ?? '')).toHaveLength(6);
  });

  it('leaves nothing behind on Ctrl-C', async () => {
    const started = home.started();
    expect(started.map(({ name }) => name)).toEqual(expect.arrayContaining(['prometheus', 'grafana', 'gateway']));
    expect(await end(starter, 'SIGINT')).toBe(0);
    expect(await stillRunning(started.map(({ pid }) => pid))).toEqual([]);
    expect(existsSync(join(home.path, 'run.json'))).toBe(false);
  });
});
