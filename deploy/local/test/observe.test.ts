import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import type { RunFile } from '../src/index.js';
import { topology } from '../src/topology.js';
import { end, left, testHome, type Starter } from './starter.js';

const TIMEOUT_MS = 240_000;

/** Answers its address and configuration; all that the starter needs of a Grafana. */
const GRAFANA = `#!${process.execPath}
const { GF_SERVER_HTTP_ADDR: host, GF_SERVER_HTTP_PORT: port, GF_PATHS_PROVISIONING: provisioning } = process.env;
const told = JSON.stringify({ args: process.argv.slice(2), provisioning });
require('node:http').createServer((request, response) => response.end(told)).listen(Number(port), host);
`;
/** One that is installed and does not start. */
const BROKEN_COLLECTOR = '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "no such exporter" >&2\nexit 1\n';

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
  writeFileSync(join(programs, 'otelcol'), BROKEN_COLLECTOR, { mode: 0o755 });
  const settings = {
    PATH: [programs, process.env['PATH']].join(delimiter),
    GRAFANA_BIN: join(programs, 'grafana-home/bin/grafana'),
  };
  starter = home.start(settings, ['--observe']);
  run = await home.ready(starter);
  if (run.observe === undefined) throw new Error('run.json says nothing of what observes it');
  observe = run.observe;
}, TIMEOUT_MS);
afterAll(() => {
  home.remove();
  rmSync(programs, { recursive: true });
});

/** What Prometheus answers. */
async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`${observe.prometheus}/api/v1/${path}`);
  return ((await answer.json()) as { readonly data: T }).data;
}

interface Vector {
  readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }[];
}

describe('npm start -- --observe', () => {
  it('has Prometheus scrape every service that runs', async () => {
    const up = await waitFor(async () => {
      const { result } = await ask<Vector>('query?query=up');
      return result.length > 0 && result.every(({ value }) => value[1] === '1') ? result : undefined;
    });
    const found = up.map(({ metric }) => `${metric['job'] ?? ''} ${metric['instance'] ?? ''}`).sort();
    expect(found).toEqual(
      Object.entries(run.services)
        .map(([name, { admin }]) => `${name} ${admin}`)
        .sort(),
    );
    expect(found).toHaveLength(topology.length);
  });

  it('has business metrics arrive there, and the alert rules of the chart evaluate them', async () => {
    const outboxes = await waitFor(async () => {
      const { result } = await ask<Vector>('query?query=stechuhr_outbox_age');
      return result.length > 0 ? result : undefined;
    });
    expect(outboxes.map(({ metric }) => metric['job'])).toContain('records');
    const { groups } = await ask<{ groups: { name: string; rules: { health: string; lastError?: string }[] }[] }>('rules');
    expect(groups.map(({ name }) => name).sort()).toEqual(['stechuhr-causes', 'stechuhr-objectives']);
    expect(groups.flatMap(({ rules }) => rules).filter(({ lastError }) => lastError)).toEqual([]);
  });

  it('says what is missing and does without: the services send their spans to the page themselves', async () => {
    expect(starter.output()).toMatch(/collector cannot be had here: otelcol ended \(1\)[\s\S]*no such exporter[\s\S]*Install otelcol/);
    expect((await fetch(`${run.base_url}/`)).status).toBe(401);
    const page = await waitFor(async () => {
      const text = await (await fetch(observe.traces)).text();
      return text.includes('GET /api/v2/') ? text : undefined;
    });
    const [, path = ''] = /href="(\/traces\/[0-9a-f]{32})"/.exec(page) ?? [];
    expect(await (await fetch(new URL(path, observe.traces))).text()).toContain('<small>gateway</small>');
  });

  it('hands the dashboards and Prometheus to Grafana where there is one', async () => {
    expect(observe.dashboards).toBe(observe.grafana);
    const told = (await (await fetch(`${observe.grafana}/api/health`)).json()) as { args: string[]; provisioning: string };
    expect(told.args).toEqual(['server', '--homepath', join(programs, 'grafana-home')]);
    const provisioned = (kind: string): string => readFileSync(join(told.provisioning, kind, 'stechuhr.yaml'), 'utf8');
    expect(provisioned('datasources')).toContain(`"url": "${observe.prometheus}"`);
    const { providers } = JSON.parse(provisioned('dashboards')) as { providers: { options: { path: string } }[] };
    expect(readdirSync(providers[0]?.options.path ?? '')).toHaveLength(6);
  });

  it('draws the same dashboards on a page where there is none', async () => {
    const at = (path: string): Promise<Response> => fetch(new URL(path, observe.traces));
    expect(await (await at('/')).text()).toContain('<main>');
    const { prometheus, dashboards } = (await (await at('/settings.json')).json()) as { prometheus: string; dashboards: string[] };
    expect(prometheus).toBe(observe.prometheus);
    expect(dashboards).toHaveLength(6);
    for (const name of dashboards) expect(await (await at(`/dashboards/${name}.json`)).json()).toMatchObject({ uid: `stechuhr-${name}` });
    expect((await at('/dashboards/none.json')).status).toBe(404);
    expect((await at('/traces/none')).status).toBe(404);
  });

  it('leaves nothing behind on Ctrl-C', async () => {
    const started = home.started();
    expect(started.map(({ name }) => name)).toEqual(expect.arrayContaining(['prometheus', 'grafana', 'gateway']));
    expect(await end(starter, 'SIGINT')).toBe(0);
    expect(await left(started.map(({ pid }) => pid))).toEqual([]);
  });
});
