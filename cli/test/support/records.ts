import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { testServers, type TestServers } from '@stechuhr/testing';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** A running records service with servers of its own. */
export interface RunningRecords {
  readonly servers: TestServers;
  /** What makes the command line find it, and the stores of the tokens. */
  readonly env: Readonly<Record<string, string>>;
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the built records service. `env` is added to its environment. */
export async function startRecords(
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<RunningRecords> {
  const servers = await testServers();
  const child = spawn(process.execPath, [...nodeOptions, path.join(ROOT, 'services/records/dist/main.js')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      MONGODB_URL: servers.mongodbUrl,
      MONGODB_DATABASE: servers.database('records'),
      NATS_URL: servers.natsUrl,
      REDIS_URL: servers.redisUrl,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await readyAddress(child);
  return {
    servers,
    address,
    env: {
      RECORDS_ADDRESS: address,
      MONGODB_URL: servers.mongodbUrl,
      REDIS_URL: servers.redisUrl,
      GATEWAY_DATABASE: servers.database('gateway'),
    },
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await servers.stop();
    },
  };
}

/** The line that a service logs when it is ready; its stdout is read on, or a full pipe would stop it. */
async function readyAddress(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The service has no stdout.');
  const lines: string[] = [];
  const found = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      const entry: { msg?: string; grpc?: string } = JSON.parse(line);
      if (entry.msg === 'ready' && entry.grpc !== undefined) resolve(entry.grpc);
    });
    child.on('exit', (code) => reject(new Error(`The records service ended with ${String(code)}.\n${lines.join('\n')}`)));
  });
  return found;
}
