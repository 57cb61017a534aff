import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { streams } from '@stechuhr/contracts';
import { Redis } from 'ioredis';
import { metric } from '../../support/metrics.js';
import { workInProgress, type Servers, type WorkInProgress } from '../observe/index.js';
import { consumersOf, messagesIn } from '../observe/servers.js';
import { eventStreamsOf } from '../servers/jetstream.js';
import { SERVICES, type Stage } from '../stage.js';
import type { MeasureName } from './measures.js';
import type { Sample } from './trend.js';

const MIB = 1_048_576;
/** Interval between two samples of the work in progress, because sampling is load for the servers too. */
const SAMPLE_EVERY_MS = 5_000;
/** Unit of times in `/proc` (USER_HZ), independent of the kernel's own tick rate. */
const TICKS_PER_SECOND = 100;
const DELAY = 'nodejs_eventloop_delay_p99';

/** The samples of a measure of one service or of the platform. */
export interface Series {
  readonly measure: MeasureName;
  readonly of: string;
  readonly samples: readonly Sample[];
}

/** Takes samples. */
export interface Observer {
  readonly series: readonly Series[];
  /** Takes samples for this time, while clients work without faults. */
  underLoad(ms: number, signal: AbortSignal): Promise<void>;
  /** Takes samples after all work has been completed. */
  atRest(): Promise<void>;
  close(): void;
}

export function openObserver(stage: Stage, servers: Servers): Observer {
  const redis = new Redis(stage.infra.redisUrl, { maxRetriesPerRequest: null });
  // Redis is killed by some faults.
  redis.on('error', () => undefined);
  const found = new Map<string, { measure: MeasureName; of: string; samples: Sample[] }>();
  const began = performance.now();
  const note = (measure: MeasureName, value: number, { of, process, ageMs }: Subject = platformSince(began)): void => {
    const series = found.get(`${measure} ${of}`) ?? { measure, of, samples: [] };
    found.set(`${measure} ${of}`, series);
    series.samples.push({ atMs: performance.now() - began, value, process, ageMs });
  };
  return {
    get series() {
      return [...found.values()];
    },
    async underLoad(ms, signal) {
      const until = performance.now() + ms;
      // Each reading covers the time since the previous one, so this one resets it.
      await delays(stage);
      const looks: Record<keyof WorkInProgress, number>[] = [];
      do {
        looks.push(await totalWorkInProgress(servers));
        await pause(SAMPLE_EVERY_MS, undefined, { signal }).catch(() => undefined);
      } while (performance.now() < until && !signal.aborted);
      for (const [service, seconds] of await delays(stage)) note('delay', seconds * 1_000, processOf(stage, service));
      for (const name of Object.keys(looks[0] ?? {}) as (keyof WorkInProgress)[]) note(name, middle(looks.map((look) => look[name])));
    },
    async atRest() {
      for (const service of SERVICES) {
        const { rss, heapTotal, heapUsed, external } = await stage.service(service).held();
        const subject = processOf(stage, service);
        note('resident', rss / MIB, subject);
        note('native', (rss - heapTotal) / MIB, subject);
        note('heap', (heapUsed + external) / MIB, subject);
        note('files', readdirSync(`/proc/${String(subject.process)}/fd`).length, subject);
      }
      note('keys', await redis.dbsize());
      note('deadLetters', await messagesIn(servers, streams.dead.name));
      note('consumers', (await consumersOf(servers)).length);
      const { messages, bytes } = await storedEvents(servers);
      note('stored', messages);
      note('storedBytes', bytes / MIB);
      note('documents', await documents(servers));
    },
    close: () => redis.disconnect(),
  };
}

/** The subject of a measure. */
interface Subject {
  readonly of: string;
  readonly process: number;
  readonly ageMs: number;
}

const platformSince = (began: number): Subject => ({ of: 'the platform', process: 0, ageMs: performance.now() - began });

function processOf(stage: Stage, service: string): Subject {
  const { pid } = stage.service(service);
  const [uptime = ''] = readFileSync('/proc/uptime', 'utf8').split(' ');
  // The program name in parentheses may contain blanks, so fields are counted after it; `starttime` is field 22 (proc_pid_stat(5)).
  const ticks = Number(
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ')[19],
  );
  return { of: service, process: pid, ageMs: (Number(uptime) - ticks / TICKS_PER_SECOND) * 1_000 };
}

/** Returns the 99th percentile of the event loop delay in seconds since the previous query, by service. */
function delays(stage: Stage): Promise<readonly (readonly [service: string, seconds: number])[]> {
  return Promise.all(SERVICES.map(async (service) => [service, await metric(stage.service(service), DELAY)] as const));
}

async function totalWorkInProgress(servers: Servers): Promise<Record<keyof WorkInProgress, number>> {
  const found = Object.entries(await workInProgress(servers)).map(([name, counts]) => [
    name,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  ]);
  return Object.fromEntries(found) as Record<keyof WorkInProgress, number>;
}

async function storedEvents({ manager }: Servers): Promise<{ readonly messages: number; readonly bytes: number }> {
  const states = await Promise.all((await eventStreamsOf(manager)).map(async (name) => (await manager.streams.info(name)).state));
  const sum = (of: 'messages' | 'bytes'): number => states.reduce((total, state) => total + state[of], 0);
  return { messages: sum('messages'), bytes: sum('bytes') };
}

async function documents(servers: Servers): Promise<number> {
  const counts = [...(await servers.collections()).values()].map((collection) => collection.estimatedDocumentCount());
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Returns the median; for an even number of values the lower of the two middle ones. */
function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;
}
