import { setTimeout as pause } from 'node:timers/promises';
import type { Load } from '../load.js';
import { startReaders } from '../readers.js';
import { SERVICES, type Stage } from '../stage.js';
import type { Scenario } from './scenario.js';

/** Additional reads to the clients of every scenario. */
const READS_PER_SECOND = 30;
/** Time before the first restart. */
const UNDISTURBED_MS = 10_000;
/** How long two versions run at the same time. */
const BOTH_VERSIONS_MS = 60_000;

/** Scenarios with two replicas of each service, as in the chart, which are restarted like during an upgrade. */
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
    // Each version receives calls, events, jobs and documents of the other one.
    name: 'every service beside that of the version before',
    beside: 'the version before',
    isUnnoticed: true,
    async strike(_, load) {
      const readers = startReaders(load.tools, READS_PER_SECOND);
      await pause(BOTH_VERSIONS_MS).finally(() => readers.stop());
    },
  },
];

async function restartAll(stage: Stage): Promise<void> {
  for (const service of SERVICES) for (const replica of stage.replicas(service)) await replica.replace();
}

/** Checks that no request fails before the first restart; otherwise the machine is too busy for this scenario. */
async function undisturbed({ history }: Load): Promise<void> {
  const before = history.answers.length;
  await pause(UNDISTURBED_MS);
  const failed = history.answers.slice(before).filter(({ status }) => status === 0 || status >= 500);
  if (failed.length > 0) throw new Error(`${String(failed.length)} requests failed before anything was restarted`);
}
