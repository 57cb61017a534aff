import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { openChart, type Rendered } from './chart.js';

let release: Rendered;
let folder: string;

beforeAll(async () => {
  const chart = await openChart();
  release = await chart.render('development.yaml');
  await chart.close();
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-setup-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

const containers = (): Container[] => release.all('StatefulSet').flatMap(({ spec }) => spec.template.spec.containers as Container[]);

/** Runs the script of the sidecar of MongoDB with a fake `mongosh`. */
async function runSetup(mongosh: string): Promise<{ said(line: string): Promise<void>; end(): Promise<[number | null, string | null]> }> {
  await writeFile(join(folder, 'mongosh'), `#!/bin/sh\n${mongosh}\n`);
  await chmod(join(folder, 'mongosh'), 0o700);
  const [program = '', ...args] = containers().find(({ name }) => name === 'setup')?.command ?? [];
  const child = spawn(program, args, {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(String(chunk)));
  return {
    said: async (line) => void (await waitFor(() => lines.join('').includes(line))),
    async end() {
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
      child.kill('SIGTERM');
      const outcome = await ended;
      endGroup(child.pid);
      return outcome;
    },
  };
}

/** Ends remaining children of the script by their process group; in the cluster they end with the container. */
function endGroup(pid = 0): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== 'ESRCH') throw caught;
  }
}

describe('servers of the release', () => {
  it('run as process 1, so that they receive the stop signal', () => {
    const shells = containers().filter(({ command, name }) => command?.[0] === 'sh' && name !== 'setup');
    expect(shells.map(({ name }) => name)).toEqual(['mongodb', 'minio']);
    for (const { command } of shells) expect(command?.[2]).toMatch(/&& exec \S+ [^;&]*$/);
  });

  it.each([
    ['while it waits for the server', 'echo unavailable; exit 1', 'unavailable'],
    ['while it creates the users', 'echo busy; exec sleep 86400', 'busy'],
    ['when it is done', 'echo done', 'done'],
  ])('the sidecar that creates MongoDB’s users ends immediately on SIGTERM, %s', async (_when, mongosh, line) => {
    const setup = await runSetup(mongosh);
    await setup.said(line);
    expect(await setup.end()).toEqual([0, null]);
  });
});
