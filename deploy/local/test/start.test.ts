import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunFile } from '../src/index.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js');
const TIMEOUT_MS = 120_000;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'stechuhr-start-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

interface Starter {
  readonly child: ChildProcess;
  output(): string;
}

/** `npm start` without the build, empty, on servers of its own. */
function start(settings: NodeJS.ProcessEnv = {}): Starter {
  const env = {
    PATH: process.env['PATH'],
    STECHUHR_HOME: home,
    STECHUHR_CACHE: process.env['STECHUHR_CACHE'],
    STECHUHR_DEMO: 'off',
    PORT: '0',
  };
  const child = spawn(process.execPath, [MAIN], { env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, output: () => output };
}

async function ready({ child, output }: Starter): Promise<RunFile> {
  const file = join(home, 'run.json');
  while (!existsSync(file) || readRun().pid !== child.pid) {
    if (child.exitCode !== null) throw new Error(output());
    await sleep(50);
  }
  return readRun();
}

const readRun = (): RunFile => JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as RunFile;
const started = (): { name: string; pid: number }[] => JSON.parse(readFileSync(join(home, 'processes.json'), 'utf8')) as [];

async function end({ child }: Starter, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

/** Those of the pids that are still there; one that has just ended may take a moment until it is collected. */
async function left(pids: readonly number[]): Promise<number[]> {
  const runs = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  for (let attempt = 0; attempt < 40 && pids.some(runs); attempt++) await sleep(50);
  return pids.filter(runs);
}

describe('npm start', () => {
  it(
    'is ready, serves, and leaves nothing behind on Ctrl-C',
    async () => {
      const starter = start();
      const run = await ready(starter);
      expect(run).toMatchObject({ ready: true, demo: null, services: { records: { grpc: expect.any(String) }, gateway: { grpc: null } } });
      expect(statSync(join(home, 'run.json')).mode & 0o777).toBe(0o600);
      expect((await fetch(`${run.base_url}/`)).status).toBe(401);
      const pids = started().map(({ pid }) => pid);
      expect(pids.length).toBeGreaterThanOrEqual(7);
      expect(await end(starter, 'SIGINT')).toBe(0);
      expect(await left(pids)).toEqual([]);
      expect(existsSync(join(home, 'run.json'))).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    'ends what a killed starter left behind, and keeps its data',
    async () => {
      const killed = start();
      await ready(killed);
      const orphans = started().map(({ pid }) => pid);
      await end(killed, 'SIGKILL');
      const next = start();
      await ready(next);
      expect(await left(orphans)).toEqual([]);
      const pids = started().map(({ pid }) => pid);
      expect(await end(next, 'SIGTERM')).toBe(0);
      expect(await left(pids)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'starts a service that died again, at its address',
    async () => {
      const starter = start();
      const { services } = await ready(starter);
      const victim = started().find(({ name }) => name === 'records');
      process.kill(victim?.pid ?? 0, 'SIGKILL');
      while (!starter.output().includes('records runs again')) await sleep(50);
      expect((await fetch(`http://${services['records']?.admin}/readyz`)).status).toBe(200);
      await end(starter, 'SIGINT');
    },
    TIMEOUT_MS,
  );

  it(
    'stops in the middle of starting',
    async () => {
      const starter = start();
      while (!existsSync(join(home, 'processes.json')) || started().length < 2) await sleep(5);
      expect(await end(starter, 'SIGINT')).toBe(0);
      expect(await left(started().map(({ pid }) => pid))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'says what to do when the port is taken',
    async () => {
      const squatter = createServer().listen(0, '127.0.0.1');
      await once(squatter, 'listening');
      const { port } = squatter.address() as AddressInfo;
      const starter = start({ PORT: String(port) });
      await once(starter.child, 'exit');
      expect(starter.child.exitCode).toBe(1);
      expect(starter.output()).toContain(`Port ${port} is taken. Choose another one, or any free one: PORT=0 npm start`);
      squatter.close();
    },
    TIMEOUT_MS,
  );

  it(
    'says what to do when the same home is in use',
    async () => {
      const first = start();
      await ready(first);
      const second = start();
      await once(second.child, 'exit');
      expect(second.output()).toContain(`is in use by process ${first.child.pid}`);
      expect(readRun().pid).toBe(first.child.pid);
      await end(first, 'SIGINT');
    },
    TIMEOUT_MS,
  );
});
