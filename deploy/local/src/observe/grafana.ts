import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Home, Program } from '@stechuhr/local-infra';
import { answers } from './companion.js';
import { DASHBOARDS } from './dashboards.js';

/** A Grafana that is installed on this machine. */
export interface InstalledGrafana {
  readonly command: string;
  /** Folder with `conf/defaults.ini` and the web pages. */
  readonly homePath: string;
}

/** Folders in which packages install Grafana's own files, relative to the folder of its program. */
const HOMES = ['..', '../share/grafana', '../../share/grafana', '/usr/share/grafana'];

/** Finds the Grafana named by `GRAFANA_BIN`, otherwise the one on PATH. @throws Error if there is none, or its files are not found */
export function findGrafana(env: NodeJS.ProcessEnv): InstalledGrafana {
  const onPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'grafana'));
  const command = [...(env['GRAFANA_BIN'] ? [env['GRAFANA_BIN']] : []), ...onPath].find((path) => existsSync(path));
  if (command === undefined) throw new Error('no grafana on PATH');
  const folder = dirname(realpathSync(command));
  const homePath = HOMES.map((path) => (path.startsWith('/') ? path : join(folder, path))).find((path) =>
    existsSync(join(path, 'conf/defaults.ini')),
  );
  if (homePath === undefined) throw new Error(`the files of Grafana (conf/defaults.ini) were not found next to ${command}`);
  return { command, homePath };
}

/** Creates the provisioning folder, which tells Grafana about Prometheus and the dashboards, and returns its path. */
export function provision(home: Home, prometheusUrl: string): string {
  const write = (kind: string, content: object): void => {
    writeFileSync(join(home.folder('data', 'grafana', 'provisioning', kind), 'stechuhr.yaml'), JSON.stringify(content, null, 2));
  };
  write('datasources', {
    apiVersion: 1,
    datasources: [{ name: 'Prometheus', type: 'prometheus', access: 'proxy', url: prometheusUrl, isDefault: true }],
  });
  write('dashboards', { apiVersion: 1, providers: [{ name: 'stechuhr', type: 'file', options: { path: DASHBOARDS } }] });
  return join(home.folder('data', 'grafana'), 'provisioning');
}

/** Returns the program that runs Grafana with the dashboards, on this machine only and without login. Its address is `http://host:port`. */
export function grafana({ command, homePath }: InstalledGrafana, provisioning: string): Program<string> {
  return {
    name: 'grafana',
    description: 'Grafana with the dashboards',
    probe: (url) => answers(`${url}/api/health`),
    launch: async ({ folder, port }) => {
      const env = {
        GF_SERVER_HTTP_ADDR: '127.0.0.1',
        GF_SERVER_HTTP_PORT: String(port),
        GF_PATHS_DATA: folder,
        GF_PATHS_LOGS: join(folder, 'log'),
        GF_PATHS_PROVISIONING: provisioning,
        GF_AUTH_ANONYMOUS_ENABLED: 'true',
        GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
        GF_ANALYTICS_REPORTING_ENABLED: 'false',
        GF_ANALYTICS_CHECK_FOR_UPDATES: 'false',
      };
      return { command, args: ['server', '--homepath', homePath], env, address: `http://127.0.0.1:${port}` };
    },
  };
}
