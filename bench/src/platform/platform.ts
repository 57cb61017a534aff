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
/** Another shape of the data is another folder. */
const VERSION = 2;
const READY_TIMEOUT_MS = 30_000;

/** A firm that is there, and a token of its administrator. */
interface PresentFirm {
  readonly institutionId: string;
  readonly accountId: string;
  readonly token: string;
}

/** The whole platform as `npm start` runs it, with firms that were imported once and are kept for the next bench. */
export interface BenchPlatform {
  /** Its state folder, by which the command line finds it. */
  readonly home: string;
  readonly baseUrl: string;
  readonly mongodbUrl: string;
  /** Which MongoDB it is. */
  readonly note: string;
  /** Makes sure that the firm is there; a token of its administrator. */
  firm(firm: BenchFirm): Promise<PresentFirm>;
  /** Where everything is, for processes that a case starts beside it. */
  readonly surroundings: {
    readonly addresses: Readonly<Record<string, string>>;
    readonly servers: { readonly MONGODB_URL: string; readonly NATS_URL: string; readonly REDIS_URL: string };
    readonly bucket: Bucket;
  };
  processes(names: readonly string[]): ServiceProcesses;
  /** Gives services fresh processes, one after the other. */
  restart(names: readonly string[]): Promise<void>;
}

let running: Promise<BenchPlatform> | undefined;

/** One for all cases of a run, started by the first that asks; a quick run has a state folder of its own. */
export function benchPlatform(quick: boolean): Promise<BenchPlatform> {
  running ??= start(quick);
  return running;
}

async function start(quick: boolean): Promise<BenchPlatform> {
  const home = join(ROOT, '.cache', 'bench', `${quick ? 'quick' : 'full'}-v${VERSION}`);
  // Paths of sockets are short: 108 bytes.
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
  const platform = await startPlatform({ home, log, env: { ...unlimited, NODE_OPTIONS: `--import=${probe}`, BENCH_PROBES: probes } });
  atEnd(async () => {
    await platform.stop();
    rmSync(probes, { recursive: true, force: true });
  });
  const tokens = new Map<string, Promise<string>>();
  const present = async (firm: BenchFirm): Promise<PresentFirm> => {
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
    firm: present,
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

/** The list of firms is stored with the data and deleted with it. */
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
  // Those that call them wait a moment before they connect again.
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
