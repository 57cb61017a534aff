import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, Home, provideTool, startProcess } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import type { Rendered } from './chart.js';

/** A NATS server on this machine with the chart's configuration of users and permissions. */
export interface ChartNats {
  /** URLs with passwords that the chart passes to the services and the toolbox, by name. */
  readonly urls: Readonly<Record<string, string>>;
  /** Returns the URL of any user in the configuration, including those of external publishers and subscribers. */
  urlOf(user: string): string;
  /** Returns the log, which contains rejections. */
  log(): string;
  /** Kills the server, deletes its data, and restarts it. */
  loseStore(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts NATS with the configuration of a release, except for port and folder, and waits until it accepts connections. */
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
    Object.entries(users).map(([name, url]) => [name, url.replace(/demo-stechuhr-nats(\.shop\.svc)?:4222/, `127.0.0.1:${port}`)]),
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
