import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { topology } from '../topology.js';
import { collectorConfig } from './collector.js';
import { dashboard, dashboardNames } from './dashboards.js';
import { prometheusConfig } from './prometheus.js';

const targets = Object.fromEntries(topology.map(({ name }, index) => [name, `127.0.0.1:${20_000 + index}`]));

describe('the configuration of Prometheus', () => {
  const config = prometheusConfig(targets) as {
    readonly rule_files: readonly string[];
    readonly scrape_configs: readonly { readonly job_name: string; readonly static_configs: readonly { readonly targets: string[] }[] }[];
  };

  it('names every service that runs, under its name, and nothing else', () => {
    const jobs = config.scrape_configs.map(({ job_name, static_configs }) => [job_name, static_configs[0]?.targets]);
    expect(jobs).toEqual(topology.map(({ name }, index) => [name, [`127.0.0.1:${20_000 + index}`]]));
    expect(config.rule_files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the configuration of the collector', () => {
  it('listens on this machine alone and hands everything on', () => {
    const text = JSON.stringify(collectorConfig(4318, 'http://127.0.0.1:20001'));
    expect(text).toContain('"endpoint":"127.0.0.1:4318"');
    expect(text).toContain('"endpoint":"http://127.0.0.1:20001"');
    expect(text).not.toContain('0.0.0.0');
  });
});

describe('dashboards', () => {
  it('are the six of the chart, and every panel is one that the page can draw', () => {
    expect(dashboardNames()).toHaveLength(6);
    expect(dashboardNames()[0]).toBe('overview');
    for (const name of dashboardNames()) {
      const { panels } = JSON.parse(dashboard(name) ?? '{}') as { readonly panels: readonly { readonly type: string }[] };
      expect(panels.filter(({ type }) => type !== 'timeseries')).toEqual([]);
    }
    expect(dashboard('../alerts')).toBeUndefined();
  });
});
