import { setTimeout as pause } from 'node:timers/promises';
import type { Load } from '../load.js';
import { startReaders } from '../readers.js';
import { SERVICES, type Stage } from '../stage.js';
import type { Scenario } from './scenario.js';

/** Besides the clients of every scenario. */
const READS_PER_SECOND = 30;
/** How long nothing is restarted at first. */
const UNDISTURBED_MS = 10_000;
/** How long two versions work beside one another. */
const BESIDE_MS = 60_000;

/** Each service with two replicas, as the chart has them, is restarted as an upgrade does it. */
export const replicas: readonly Scenario[] = [
  {
    group: 'two replicas',
    name: 'every replica of every service restarted by SIGTERM, one after the other',
    beside: 'itself',
    isUnnoticed: true,
    async strike(stage, load) {
      const readers = startReaders(load.tools, READS_PER_SECOND);
      try {
        await undisturbed(load);
        await restartAll(stage);
      } finally {
        await readers.stop();
      }
    },
  },
  {
    group: 'two replicas',
    // Calls, events, jobs and documents of each of them come to the other one.
    name: 'every service beside that of the version before',
    beside: 'the version before',
    isUnnoticed: true,
    async strike(_, load) {
      const readers = startReaders(load.tools, READS_PER_SECOND);
      await pause(BESIDE_MS).finally(() => readers.stop());
    },
  },
];

async function restartAll(stage: Stage): Promise<void> {
  for (const service of SERVICES) for (const replica of stage.replicas(service)) await replica.replace();
}

/** Requests that fail while nothing is done to the platform are the fault of a machine that is too busy. */
async function undisturbed({ history }: Load): Promise<void> {
  const before = history.answers.length;
  await pause(UNDISTURBED_MS);
  const failed = history.answers.slice(before).filter(({ status }) => status === 0 || status >= 500);
  if (failed.length > 0) throw new Error(`${String(failed.length)} requests failed before anything was restarted`);
}
