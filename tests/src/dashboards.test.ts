import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provideTool } from '@stechuhr/local-infra';

const DASHBOARDS = new URL('../../helm/stechuhr/files/dashboards/', import.meta.url);
const run = promisify(execFile);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

interface Sample {
  readonly labels: string;
  readonly value: number;
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stechuhr-dashboards-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the only query of a panel as Grafana sends it, with all installations selected. */
function queryOf(dashboard: string, panel: string): string {
  const { panels } = JSON.parse(readFileSync(new URL(`${dashboard}.json`, DASHBOARDS), 'utf8')) as Dashboard;
  const [target, ...others] = panels.find(({ title }) => title === panel)?.targets ?? [];
  if (target === undefined || others.length > 0) throw new Error(`${dashboard} has no panel ${panel} with one query.`);
  return target.expr
    .replaceAll(/"\$(?:namespace|release)"/g, '".*"')
    .replaceAll('$service', 'records')
    .replaceAll('$__rate_interval', '2m');
}

/** Checks the value of a query 20 minutes after the series began, by promtool. */
async function expectValues(expr: string, series: Readonly<Record<string, string>>, samples: readonly Sample[]): Promise<void> {
  const file = join(folder, 'test.yaml');
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [{ expr, eval_time: '20m', exp_samples: samples }],
  };
  writeFileSync(file, JSON.stringify({ rule_files: [], evaluation_interval: '1m', tests: [test] }));
  await expect(run(await provideTool('promtool'), ['test', 'rules', file])).resolves.toMatchObject({
    stdout: expect.stringContaining('SUCCESS'),
  });
}

// 60 requests per minute are one per second.
const responses = (status: '2xx' | '5xx', instance = 'a'): string =>
  `stechuhr_responses_total{job="gateway", instance="${instance}", status="${status}"}`;

describe('the panel of failed requests', () => {
  const query = queryOf('overview', 'Requests that failed');

  it('shows 0 before the first failure', async () => {
    await expectValues(query, { [responses('2xx')]: '0+60x20', [responses('5xx')]: '0x20' }, [{ labels: '{}', value: 0 }]);
  });

  it('shows the share of all gateways', async () => {
    const series = { [responses('2xx')]: '0+60x20', [responses('2xx', 'b')]: '0+30x20', [responses('5xx', 'b')]: '0+30x20' };
    await expectValues(query, series, [{ labels: '{}', value: 0.25 }]);
  });

  it('shows nothing without any response', async () => {
    await expectValues(query, {}, []);
  });
});

describe('the panel of cache hits', () => {
  const lookups = (cache: string, result: string): string =>
    `stechuhr_cache_lookups_total{job="gateway", instance="a", cache="${cache}", result="${result}"}`;

  it('shows 0 for a cache that never had a hit', async () => {
    const series = {
      [lookups('tokens', 'unavailable')]: '0+60x20',
      [lookups('accounts', 'miss')]: '0+60x20',
      [lookups('accounts', 'hit')]: '0+180x20',
    };
    await expectValues(queryOf('stores', 'Cache hits'), series, [
      { labels: '{cache="accounts"}', value: 0.75 },
      { labels: '{cache="tokens"}', value: 0 },
    ]);
  });
});

describe('the panel of garbage collection', () => {
  // Each process collects for 7.5 and 3.75 of 60 seconds; the sum of four processes would be 75 %.
  it('shows the share of time of each process, however many there are', async () => {
    const collections = ['a', 'b', 'c', 'd'].flatMap((instance) =>
      Object.entries({ minor: '0+7.5x20', major: '0+3.75x20' }).map(([type, values]) => [
        `v8js_gc_duration_sum{job="records", instance="${instance}", v8js_gc_type="${type}"}`,
        values,
      ]),
    );
    const samples = ['a', 'b', 'c', 'd'].map((instance) => ({ labels: `{instance="${instance}"}`, value: 0.1875 }));
    await expectValues(queryOf('service', 'Garbage collection'), Object.fromEntries(collections) as Record<string, string>, samples);
  });
});
