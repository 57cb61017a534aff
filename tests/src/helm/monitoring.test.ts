import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provideTool } from '@stechuhr/local-infra';
import { stringify } from 'yaml';
import { openChart, SEED, type Chart } from './chart.js';

const run = promisify(execFile);
const infrastructure = { enabled: true, seed: SEED };

interface Rule {
  readonly alert?: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly { readonly targets: readonly { readonly interval?: string }[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly current?: { readonly value: unknown } }[] };
}

let chart: Chart;
let folder: string;

beforeAll(async () => {
  chart = await openChart();
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-rules-'));
});

afterAll(async () => {
  await chart.close();
  await rm(folder, { recursive: true });
});

async function groupsOf(monitoring: object): Promise<readonly { readonly rules: readonly Rule[] }[]> {
  const release = await chart.render({ infrastructure, monitoring: { enabled: true, ...monitoring } });
  return release.object('PrometheusRule', 'demo-stechuhr')['spec'].groups;
}

describe('the alerts of a release', () => {
  it('evaluate only its own series', async () => {
    const groups = await groupsOf({});
    await writeFile(join(folder, 'rules.yaml'), stringify({ groups }));
    const requests = (namespace: string, status: '2xx' | '5xx', values: string, release = 'demo') => ({
      series: `stechuhr_responses_total{namespace="${namespace}", release="${release}", job="gateway", status="${status}"}`,
      values,
    });
    const silent = { eval_time: '90m', exp_alerts: [] };
    const test = {
      rule_files: ['rules.yaml'],
      evaluation_interval: '1m',
      tests: [
        {
          name: 'all is well; in staging and for another release everything fails, and a worker of others is down',
          interval: '1m',
          input_series: [
            requests('shop', '2xx', '0+600x120'),
            requests('staging', '5xx', '0+600x120'),
            requests('shop', '5xx', '0+600x120', 'trial'),
            { series: 'up{namespace="others", job="worker", instance="a"}', values: '0x120' },
            { series: 'stechuhr_outbox_age{namespace="staging", job="records", store="x"}', values: '900x120' },
          ],
          alert_rule_test: ['StechuhrAnswersFailFast', 'StechuhrServiceIsDown', 'StechuhrEventsWait'].map((alertname) => ({
            alertname,
            ...silent,
          })),
        },
        {
          name: 'records is missing in shop alone',
          interval: '1m',
          input_series: ['gateway', 'exports', 'tasks', 'reviews', 'absence-rules', 'daily-reports', 'webhooks', 'records'].flatMap(
            (job) => [
              ...(job === 'records' ? [] : [{ series: `up{namespace="shop", release="demo", job="${job}"}`, values: '1x120' }]),
              { series: `up{namespace="staging", release="demo", job="${job}"}`, values: '1x120' },
              { series: `up{namespace="shop", release="trial", job="${job}"}`, values: '1x120' },
            ],
          ),
          alert_rule_test: [
            {
              eval_time: '90m',
              alertname: 'StechuhrServiceIsMissing',
              exp_alerts: [
                {
                  exp_labels: { severity: 'page', namespace: 'shop', release: 'demo', job: 'records' },
                  exp_annotations: {
                    summary: 'Prometheus finds no pod of records',
                    runbook_url: 'docs/runbook.md#stechuhrserviceismissing',
                  },
                },
              ],
            },
          ],
        },
        {
          name: 'everything fails in shop',
          interval: '1m',
          input_series: [requests('shop', '5xx', '0+600x120'), requests('staging', '2xx', '0+600x120')],
          alert_rule_test: [
            {
              eval_time: '90m',
              alertname: 'StechuhrAnswersFailFast',
              exp_alerts: [
                {
                  exp_labels: { severity: 'page', namespace: 'shop', release: 'demo' },
                  exp_annotations: {
                    summary: '100% of responses fail: the monthly error budget is used up in two days',
                    runbook_url: 'docs/runbook.md#stechuhranswersfailfast',
                  },
                },
              ],
            },
          ],
        },
      ],
    };
    await writeFile(join(folder, 'test.yaml'), stringify(test));
    const tested = run(await provideTool('promtool'), ['test', 'rules', join(folder, 'test.yaml')]);
    await expect(tested).resolves.toMatchObject({ stdout: expect.stringContaining('SUCCESS') });
  });

  it('select every series by namespace and release', async () => {
    const rules = (await groupsOf({})).flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(20);
    for (const { expr, labels } of rules) {
      const selectors =
        expr.replace(/\bby \([^)]*\)/g, '').match(/\b(?:up|(?:stechuhr|http|nodejs|v8js)[_:][\w:]+)(?![\w:]|=|!)(?:\{[^}]*\})?/g) ?? [];
      expect(selectors).not.toEqual([]);
      expect(selectors.filter((selector) => !selector.includes('{namespace="shop", release="demo"'))).toEqual([]);
      expect(labels).toMatchObject({ namespace: 'shop', release: 'demo' });
    }
  });

  it('link to the configured runbook', async () => {
    const runbook = 'https://git.example.com/stechuhr/blob/main/docs/runbook.md';
    const links = (await groupsOf({ runbook })).flatMap(({ rules }) =>
      rules.flatMap(({ annotations }) => annotations?.['runbook_url'] ?? []),
    );
    expect(links).toContain(`${runbook}#stechuhrserviceisdown`);
    expect(links.filter((link) => !link.startsWith(`${runbook}#`))).toEqual([]);
  });
});

describe('the dashboards of a release', () => {
  const dashboardsOf = async (at: { readonly release: string; readonly namespace: string }, monitoring = {}) => {
    const release = await chart.render({ infrastructure, monitoring: { enabled: true, ...monitoring } }, at);
    const maps = release.all('ConfigMap').filter(({ metadata }) => metadata.labels['grafana_dashboard'] === '1');
    return maps.flatMap(({ data }) =>
      Object.entries(data as Record<string, string>).map(([file, text]) => ({ file, ...(JSON.parse(text) as Dashboard) })),
    );
  };

  // Grafana rejects duplicates, and the sidecar stores all files in one folder.
  it('have unique files, ids and titles, so that one Grafana can show several releases', async () => {
    const places = [
      { release: 'demo', namespace: 'shop' },
      { release: 'demo', namespace: 'staging' },
      { release: 'trial', namespace: 'shop' },
    ];
    const all: (Dashboard & { readonly file: string })[] = [];
    for (const place of places) all.push(...(await dashboardsOf(place)));
    expect(all.length).toBeGreaterThanOrEqual(15);
    for (const key of ['file', 'uid', 'title'] as const) expect(new Set(all.map((each) => each[key])).size).toBe(all.length);
    for (const { uid } of all) expect(uid.length).toBeLessThanOrEqual(40);
    expect(all.map(({ title }) => title)).toContain('Stechuhr: overview (staging/demo)');
  });

  // Without it Grafana assumes that of its data source, and a rate over less than two scrapes is empty.
  it('know the interval of the scrapes', async () => {
    const found = await dashboardsOf({ release: 'demo', namespace: 'shop' }, { interval: '2m' });
    const intervals = found.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ interval }) => interval)));
    expect(intervals.length).toBeGreaterThan(40);
    expect(new Set(intervals)).toEqual(new Set(['2m']));
  });

  it('preselect the namespace of the release', async () => {
    for (const { templating } of await dashboardsOf({ release: 'demo', namespace: '456' })) {
      expect(templating.list.find(({ name }) => name === 'namespace')?.current?.value).toEqual(['456']);
    }
  });
});
