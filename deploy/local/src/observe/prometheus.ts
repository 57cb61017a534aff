import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { providePrometheus, type Log, type Program } from '@stechuhr/local-infra';
import { answers } from './companion.js';

/** The alert rules of the chart. */
const RULES = fileURLToPath(new URL('../../../../helm/stechuhr/files/alerts.yaml', import.meta.url));

/** The address of each service's `/metrics` as `host:port`, by the name that dashboards and alerts use. */
export type Targets = Readonly<Record<string, string>>;

/** Returns the configuration of Prometheus. It is written as JSON, which is valid YAML. */
export function prometheusConfig(targets: Targets): object {
  return {
    // More often than in production, so that changes are visible at once.
    global: { scrape_interval: '5s', evaluation_interval: '15s' },
    rule_files: [RULES],
    scrape_configs: Object.entries(targets).map(([job_name, target]) => ({ job_name, static_configs: [{ targets: [target] }] })),
  };
}

/**
 * Fetches Prometheus and returns the program that scrapes the services and evaluates the alert rules. Its address is `http://host:port`.
 */
export async function prometheus(targets: Targets, log: Log): Promise<Program<string>> {
  const { command, pages } = await providePrometheus(log);
  return {
    name: 'prometheus',
    description: `Prometheus over ${Object.keys(targets).length} services`,
    probe: (url) => answers(`${url}/-/ready`),
    launch: async ({ folder, port }) => {
      const file = join(folder, 'prometheus.json');
      writeFileSync(file, JSON.stringify(prometheusConfig(targets), null, 2));
      const args = [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        '--storage.tsdb.retention.time=7d',
        `--web.listen-address=127.0.0.1:${port}`,
        ...(pages === undefined ? [] : [`--web.local-assets=${pages}`]),
      ];
      return { command, args, address: `http://127.0.0.1:${port}` };
    },
  };
}
