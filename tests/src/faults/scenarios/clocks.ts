import { setTimeout as pause } from 'node:timers/promises';
import type { Load } from '../load.js';
import { SERVICES, type Stage } from '../stage.js';
import { WHILE_MS, type Scenario } from './scenario.js';

const TEN_MINUTES_MS = 600_000;

/** A wrong clock keeps nobody from being served. */
async function whileWrong(stage: Stage, load: Load, shiftOf: (index: number) => number): Promise<void> {
  for (const [index, service] of SERVICES.entries()) stage.setClock(service, shiftOf(index));
  await pause(WHILE_MS);
  await load.mostServed();
}

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
];
