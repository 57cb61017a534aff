import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@stechuhr/testing';
import { taskPath } from '../clients/exports.js';
import type { Load } from '../load.js';
import { SERVICES, type Stage } from '../stage.js';
import { WHILE_MS, type Scenario } from './scenario.js';

const TEN_MINUTES_MS = 600_000;
/** A clock difference with which an object store rejects all requests; it accepts up to 15 minutes. */
const TWENTY_MINUTES_MS = 1_200_000;
/** How long services take to notice a changed clock; they check ten times per second. */
const NOTICED_MS = 500;
/** Services that compare their clock with times stored by others: of live objects, leases and deliveries. */
const SENSITIVE_SERVICES = ['records', 'tasks', 'worker', 'webhooks'];

/** Shifts the clocks of all services, and expects that clients are still served. */
async function withShiftedClocks(stage: Stage, load: Load, shiftOf: (index: number) => number): Promise<void> {
  for (const [index, service] of SERVICES.entries()) stage.setClock(service, shiftOf(index));
  await pause(WHILE_MS);
  await load.mostServed();
}

const alone = (service: string, shiftMs: number): Scenario => ({
  group: 'clocks',
  name: `clock of ${service} alone 10 minutes ${shiftMs > 0 ? 'ahead' : 'behind'}`,
  async strike(stage, load) {
    stage.setClock(service, shiftMs);
    await pause(WHILE_MS);
    await load.mostServed();
  },
});

/**
 * Shifts the clocks of all services by the same amount, which has the same effect as shifting the clock of the object store the other way.
 */
const againstStore: Scenario = {
  group: 'clocks',
  name: 'clock of the object store 20 minutes ahead',
  async strike(stage, { tools }) {
    for (const service of SERVICES) stage.setClock(service, -TWENTY_MINUTES_MS);
    await pause(NOTICED_MS);
    const path = taskPath(tools.slot.worker, `value:as>${tools.slot.word}Skewed`);
    const target = async (): Promise<string | null | undefined> => {
      const answer = await tools.ask('long exports', path);
      return (answer?.json as { readonly target?: string | null } | undefined)?.target;
    };
    await waitFor(async () => (await target()) === null);
    await pause(2 * WHILE_MS);
    if (typeof (await target()) === 'string') throw new Error('The object store accepted a file despite the clock difference.');
    for (const service of SERVICES) stage.setClock(service, 0);
    await waitFor(target, { timeoutMs: 120_000 });
  },
};

export const clocks: readonly Scenario[] = [
  {
    group: 'clocks',
    // The process leaves times in the future for those that continue its work.
    name: 'SIGKILL of records while its clock is 10 minutes ahead',
    async strike(stage) {
      stage.setClock('records', TEN_MINUTES_MS);
      await pause(WHILE_MS);
      await stage.service('records').kill();
      stage.setClock('records', 0);
      await stage.service('records').restart();
    },
  },
  {
    group: 'clocks',
    name: 'clocks of all services 10 minutes behind',
    strike: (stage, load) => withShiftedClocks(stage, load, () => -TEN_MINUTES_MS),
  },
  {
    group: 'clocks',
    name: 'clocks of all services 10 minutes ahead or behind, in turns',
    strike: (stage, load) => withShiftedClocks(stage, load, (index) => (index % 2 === 0 ? TEN_MINUTES_MS : -TEN_MINUTES_MS)),
  },
  ...SENSITIVE_SERVICES.flatMap((service) => [alone(service, TEN_MINUTES_MS), alone(service, -TEN_MINUTES_MS)]),
  againstStore,
];
