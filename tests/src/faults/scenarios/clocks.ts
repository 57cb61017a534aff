import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@stechuhr/testing';
import { taskPath } from '../clients/exports.js';
import type { Load } from '../load.js';
import { SERVICES, type Stage } from '../stage.js';
import { WHILE_MS, type Scenario } from './scenario.js';

const TEN_MINUTES_MS = 600_000;
/** Of which an object store refuses any request: it takes 15. */
const TWENTY_MINUTES_MS = 1_200_000;
/** A service looks at its clock ten times a second. */
const NOTICED_MS = 500;
/** Those that compare times with what others have stored: of live objects, of leases, of deliveries. */
const ALONE = ['records', 'tasks', 'worker', 'webhooks'];

/** A wrong clock keeps nobody from being served. */
async function whileWrong(stage: Stage, load: Load, shiftOf: (index: number) => number): Promise<void> {
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

/** The clocks of all services go wrong together: to the object store the same as its own that is wrong the other way. */
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
    if (typeof (await target()) === 'string') throw new Error('The object store has taken a file in spite of its clock.');
    for (const service of SERVICES) stage.setClock(service, 0);
    await waitFor(target, { timeoutMs: 120_000 });
  },
};

export const clocks: readonly Scenario[] = [
  {
    group: 'clocks',
    // What it has left is later than now for those who go on with it.
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
    strike: (stage, load) => whileWrong(stage, load, () => -TEN_MINUTES_MS),
  },
  {
    group: 'clocks',
    name: 'clocks of all services 10 minutes ahead or behind, in turns',
    strike: (stage, load) => whileWrong(stage, load, (index) => (index % 2 === 0 ? TEN_MINUTES_MS : -TEN_MINUTES_MS)),
  },
  ...ALONE.flatMap((service) => [alone(service, TEN_MINUTES_MS), alone(service, -TEN_MINUTES_MS)]),
  againstStore,
];
