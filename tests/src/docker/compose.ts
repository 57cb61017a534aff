import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topology } from '@stechuhr/local';
import { freePort, runCommand } from '@stechuhr/local-infra';
import type { DockerEngine } from './engine.js';
import { exportLastMonth, type Exported } from './exported.js';

const FILE = join(import.meta.dirname, '../../../deploy/compose.yaml');
const PROJECT = 'stechuhr-check';
const UP_MS = 900_000;

/** The images that compose.yaml builds. */
export const composeImages: readonly string[] = [...topology.map(({ name }) => name), 'cli'].map((name) => `stechuhr/${name}:latest`);

/** Returns the reason why Compose cannot be tested on this machine; undefined if it can. */
export async function noCompose(engine: DockerEngine): Promise<string | undefined> {
  if ((await composeCommand()) === undefined) return 'no docker compose';
  const images = await engine.images();
  const missing = composeImages.filter((image) => !images.includes(image));
  return missing.length > 0
    ? `the engine lacks ${missing.join(', ')}: docker compose -f deploy/compose.yaml --profile tools build`
    : undefined;
}

/** How Compose is tested. */
export interface ComposeOptions {
  readonly log?: (line: string) => void;
  /** The Compose command, if it is not on PATH. */
  readonly compose?: readonly string[];
  /** Whether MongoDB and the object store are stand-ins from ../shared/tools/cluster. */
  readonly standIns?: boolean;
}

/**
 * Runs the platform with compose.yaml and existing images: up, demo, token, export, down. It uses separate ports and a separate project
 * name, so that it does not affect a running platform.
 * @throws Error if an expectation is not met
 */
export async function composeUp(engine: DockerEngine, options: ComposeOptions = {}): Promise<Exported> {
  const { log = () => {}, standIns = false } = options;
  const [command, ...first] = options.compose ?? (await composeCommand()) ?? [];
  if (command === undefined) throw new Error('There is no docker compose.');
  const [gateway, s3] = [await freePort(), await freePort()];
  const env = { ...process.env, GATEWAY_PORT: String(gateway), S3_PORT: String(s3), S3_SECRET_KEY: randomUUID() };
  const folder = mkdtempSync(join(tmpdir(), 'stechuhr-compose-'));
  const files = [FILE, ...(standIns ? [forStandIns(folder)] : [])].flatMap((file) => ['--file', file]);
  const compose = (...args: string[]): Promise<string> =>
    runCommand(command, [...first, '--project-name', PROJECT, ...files, ...args], { env, timeoutMs: UP_MS });
  const cli = async (...args: string[]): Promise<unknown> =>
    JSON.parse(await compose('--profile', 'tools', 'run', '--rm', '--no-deps', '--no-TTY', 'cli', ...args, '--json'));
  let exported: Exported;
  try {
    await compose('up', '--no-build', '--detach', '--wait').catch(async (error: unknown) => {
      log(await compose('ps', '--all'));
      log(await compose('logs', '--tail', '15'));
      throw error;
    });
    const demo = (await cli('demo')) as { account_id: string };
    const { token } = (await cli('tokens', 'issue', '--account', demo.account_id, '--name', 'check')) as { token: string };
    exported = await exportLastMonth(`http://127.0.0.1:${gateway}`, token);
  } finally {
    await compose('down', '--volumes', '--timeout', '5');
    rmSync(folder, { recursive: true });
  }
  const left = [await engine.containers(), await engine.volumes(), await engine.networks()].flat().filter((name) => name.includes(PROJECT));
  if (left.length > 0) throw new Error(`Left behind: ${left.join(', ')}.`);
  return exported;
}

/** Writes overrides for stand-ins, which have no replica sets, and not the client that the health check of the object store uses. */
function forStandIns(folder: string): string {
  const environment = { MONGODB_URL: 'mongodb://mongodb:27017/' };
  const programs = [...topology.map(({ name }) => name), 'cli'].map((name) => [name, { environment }] as const);
  const healthcheck = { test: ['CMD', 'bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/9000'] };
  const file = join(folder, 'stand-ins.json');
  writeFileSync(file, JSON.stringify({ services: { ...Object.fromEntries(programs), minio: { healthcheck } } }));
  return file;
}

/** Returns the command for Compose: the docker plugin, otherwise the standalone program. */
async function composeCommand(): Promise<readonly string[] | undefined> {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const [program = '', ...args] = command;
    const works = await runCommand(program, [...args, 'version'], { timeoutMs: 30_000 }).catch(() => undefined);
    if (works !== undefined) return command;
  }
  return undefined;
}
