import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunFile } from '@stechuhr/local';
import { waitFor } from '@stechuhr/testing';
import type { DockerEngine } from './engine.js';
import { exportLastMonth, type Exported } from './exported.js';

const MAIN = join(import.meta.dirname, '../../../deploy/local/dist/main.js');
const READY_MS = 600_000;
const STOPS_MS = 60_000;
const SERVERS = ['MongoDB', 'NATS', 'Redis', 'S3'];

/**
 * Runs `npm start` (built) with a Docker engine. With `inDocker` all four servers have to be containers; without it none, because the
 * engine cannot get images. Exports the demo organization, then stops the platform and checks that nothing is left.
 * @throws Error if an expectation is not met
 */
export async function npmStart(engine: DockerEngine, { inDocker }: { readonly inDocker: boolean }): Promise<Exported> {
  const home = mkdtempSync(join(tmpdir(), 'stechuhr-docker-'));
  const before = { containers: await engine.containers(), volumes: await engine.volumes() };
  const env = { ...process.env, STECHUHR_HOME: home, STECHUHR_DEMO: 'on', PORT: '0' };
  for (const variable of ['MONGODB_URL', 'NATS_URL', 'REDIS_URL', 'S3_ENDPOINT']) Reflect.deleteProperty(env, variable);
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  try {
    const early = exited.then(([code]) => Promise.reject(new Error(`It ended with ${code} before it was ready.`)));
    const run = await Promise.race([early, waitFor(() => readyRun(home), { timeoutMs: READY_MS })]);
    const expected = inDocker ? 'in Docker \\(' : '\\(.*Docker cannot get ';
    const others = SERVERS.filter((server) => !new RegExp(`: ${server}: .* ${expected}.*ready in`).test(output));
    if (others.length > 0) throw new Error(`Not ${inDocker ? 'in Docker' : 'from elsewhere'}: ${others.join(', ')}.`);
    const exported = await exportLastMonth(new URL(run.base_url).origin, run.demo?.token ?? '');
    child.kill('SIGINT');
    const [code] = (await exited) as [number | null];
    if (code !== 0) throw new Error(`It ended with ${code}.`);
    const left = (await engine.containers()).filter((name) => !before.containers.includes(name));
    if (left.length > 0) throw new Error(`Left behind: ${left.join(', ')}.`);
    return exported;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  } finally {
    // SIGKILL is only the last resort, because containers would be left behind.
    const hard = setTimeout(() => child.kill('SIGKILL'), STOPS_MS);
    child.kill('SIGINT');
    await exited;
    clearTimeout(hard);
    rmSync(home, { recursive: true, force: true });
    const made = (await engine.volumes()).filter((name) => /^stechuhr-[0-9a-f]{12}$/.test(name) && !before.volumes.includes(name));
    await Promise.allSettled(made.map((name) => engine.removeVolume(name)));
  }
}

async function readyRun(home: string): Promise<RunFile | false> {
  const file = join(home, 'run.json');
  return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as RunFile);
}
