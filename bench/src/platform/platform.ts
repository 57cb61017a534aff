import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ndjsonOf } from '@stechuhr/demo-firm';
import { startPlatform, type Platform } from '@stechuhr/local';
import type { Bucket } from '@stechuhr/objectstore';
import { atEnd } from '../harness/at-end.js';
import type { BenchFirm } from './firms.js';
import { runCli } from './run-cli.js';
import type { ServiceProcesses } from './service-processes.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Part of the name of the state folder. Increase it when the format of the data changes. */
const VERSION = 2;
const READY_TIMEOUT_MS = 30_000;
const { NODE_COMPILE_CACHE } = process.env;
/** Settings of a quick run, which does not evaluate what services use: they start in half of the CPU time and need little while idle. */
const QUICK = {
  OTEL_SDK_DISABLED: 'true',
  ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
  BENCH_PROBE_MS: '200',
};

/** A firm that has been imported, and a token of its administrator. */
interface ImportedFirm {
  readonly institutionId: string;
  readonly accountId: string;
  readonly token: string;
}

/** The whole platform as in `npm start`. Its firms are imported once and kept for later runs of the bench. */
export interface BenchPlatform {
  /** The state folder, in which the command line finds the addresses of the platform. */
  readonly home: string;
  readonly baseUrl: string;
  readonly mongodbUrl: string;
  /** Describes the MongoDB server. */
  readonly note: string;
  /** Imports the firm unless that has already been done. */
  firm(firm: BenchFirm): Promise<ImportedFirm>;
  /** Addresses for additional processes that a case starts. */
  readonly surroundings: {
    readonly addresses: Readonly<Record<string, string>>;
    readonly servers: { readonly MONGODB_URL: string; readonly NATS_URL: string; readonly REDIS_URL: string };
    readonly bucket: Bucket;
  };
  processes(names: readonly string[]): ServiceProcesses;
  /** Restarts services sequentially. */
  restart(names: readonly string[]): Promise<void>;
}

let running: Promise<BenchPlatform> | undefined;

/** Returns the platform, which is started on the first call and shared by all cases. A quick run has a separate state folder. */
export function benchPlatform(quick: boolean): Promise<BenchPlatform> {
  running ??= start(quick);
  return running;
}

async function start(quick: boolean): Promise<BenchPlatform> {
  const home = join(ROOT, '.cache', 'bench', `${quick ? 'quick' : 'full'}-v${VERSION}`);
  // The path of a Unix socket is limited to 108 bytes, so the sockets are not in the state folder.
  const probes = join(tmpdir(), `bench-${process.pid}`);
  mkdirSync(probes, { recursive: true });
  const notes: string[] = [];
  const log = (line: string): void => {
    if (line.startsWith('MongoDB:')) notes.push(line.replace(/, ready in .*/, ''));
  };
  const probe = new URL('./probe.js', import.meta.url).href;
  const unlimited = {
    RATE_LIMIT_PER_MINUTE: '0',
    EXPORT_RATE_LIMIT_PER_MINUTE: '0',
    CONCURRENT_EXPORTS_PER_TOKEN: '0',
    CONCURRENT_EXPORTS: '0',
  };
  const platform = await startPlatform({
    home,
    log,
    env: { ...unlimited, ...(quick && QUICK), NODE_OPTIONS: `--import=${probe}`, BENCH_PROBES: probes },
  });
  atEnd(async () => {
    await platform.stop();
    rmSync(probes, { recursive: true, force: true });
  });
  const tokens = new Map<string, Promise<string>>();
  const imported = async (firm: BenchFirm): Promise<ImportedFirm> => {
    await importOnce(home, firm);
    const { institutionId, accountId } = firm;
    const token = tokens.get(accountId) ?? issueToken(home, accountId);
    tokens.set(accountId, token);
    return { institutionId, accountId, token: await token };
  };
  return {
    home,
    baseUrl: platform.run.base_url,
    mongodbUrl: platform.run.infra.mongodb,
    surroundings: surroundingsOf(platform),
    note: notes[0] ?? 'MongoDB of the environment',
    firm: imported,
    processes: (names) => ({ pids: Object.fromEntries(names.map((name) => [name, platform.service(name).pid])), probes }),
    restart: (names) => restart(platform, names),
  };
}

function surroundingsOf({ run, infra }: Platform): BenchPlatform['surroundings'] {
  const addresses = Object.entries(run.services).flatMap(([name, { grpc }]) => {
    return grpc === null ? [] : [[`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`, grpc] as const];
  });
  const servers = { MONGODB_URL: run.infra.mongodb, NATS_URL: run.infra.nats, REDIS_URL: run.infra.redis };
  return { addresses: Object.fromEntries(addresses), servers, bucket: infra.s3 };
}

/** Imports a firm unless it has been imported before. The list of firms is stored next to the data, so that both are deleted together. */
async function importOnce(home: string, { name, records }: BenchFirm): Promise<void> {
  const note = join(home, 'data', 'mongodb', 'firms.json');
  const known = readList(note);
  const key = JSON.stringify([process.env['MONGODB_URL'] ?? null, name]);
  if (known.includes(key)) return;
  const startedAt = performance.now();
  await runCli(home, ['import', '--json', '-'], ndjsonOf(records));
  writeFileSync(note, JSON.stringify([...known, key]));
  console.error(`  imported ${name} in ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

async function issueToken(home: string, accountId: string): Promise<string> {
  const printed = await runCli(home, ['tokens', 'issue', '--json', '--account', accountId, '--name', 'bench']);
  return (JSON.parse(printed) as { readonly token: string }).token;
}

async function restart(platform: Platform, names: readonly string[]): Promise<void> {
  for (const name of names) await platform.service(name).restart();
  // Services that call the restarted ones take a moment to reconnect.
  await untilReady(new URL('/readyz', platform.run.base_url));
}

async function untilReady(url: URL): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (performance.now() > deadline) throw new Error(`${url.href} is not ready after ${READY_TIMEOUT_MS / 1000} s`);
    await sleep(50);
  }
}

function readList(path: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as readonly string[];
  } catch {
    return [];
  }
}
