import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, Home, provideTool, startProcess } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import type { Rendered } from './chart.js';

/** The NATS server of the chart on this machine, with the users and permissions that the chart gives it. */
export interface ChartNats {
  /** The address that the chart hands to a service or the toolbox, password included, by its name. */
  readonly urls: Readonly<Record<string, string>>;
  /** The same of any user, those of institutions' own systems among them: what the server itself was told. */
  urlOf(user: string): string;
  /** What it has logged; refusals among it. */
  log(): string;
  /** Kills the server, takes what it has stored from it, and starts it again. */
  loseStore(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs the NATS configuration of a release, with only the places changed: port and folder. It takes connections when this returns. */
export async function startChartNats(release: Rendered): Promise<ChartNats> {
  const home = await Home.temporary();
  const [port, command] = await Promise.all([freePort(), provideTool('nats-server')]);
  const configuration: string = release.object('Secret', 'demo-stechuhr-nats-config')['stringData']['nats.conf'];
  const file = join(home.folder('nats'), 'nats.conf');
  writeFileSync(
    file,
    configuration
      .replace('port: 4222', `listen: "127.0.0.1:${port}"`)
      .replace('http_port: 8222', '')
      .replace('store_dir: /data', `store_dir: "${home.folder('nats')}"`),
  );
  const logFile = join(home.folder('logs'), 'nats.log');
  const spec = { name: 'nats', command, args: ['--config', file], env: {}, cwd: home.folder('nats'), logFile, graceMs: 5_000 };
  const start = async (times: number) => {
    const started = await startProcess(spec, home);
    await waitFor(() => readFileSync(logFile, 'utf8').split('Server is ready').length > times);
    return started;
  };
  let server = await start(1);
  const users = release.object('Secret', 'demo-stechuhr-nats')['stringData'] as Readonly<Record<string, string>>;
  const urls = Object.fromEntries(
    Object.entries(users).map(([name, url]) => [name, url.replace('demo-stechuhr-nats:4222', `127.0.0.1:${port}`)]),
  );
  return {
    urls,
    urlOf(user) {
      const password = new RegExp(`user: "${user}"\\s+password: "(\\w+)"`).exec(configuration)?.[1] ?? '';
      return `nats://${user}:${password}@127.0.0.1:${port}`;
    },
    log: () => readFileSync(logFile, 'utf8'),
    async loseStore() {
      await server.kill('SIGKILL');
      await rm(join(home.folder('nats'), 'jetstream'), { recursive: true });
      server = await start(2);
    },
    async stop() {
      await server.stop();
      await home.close();
    },
  };
}
