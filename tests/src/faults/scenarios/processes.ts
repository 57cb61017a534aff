import { setTimeout as pause } from 'node:timers/promises';
import { seeded, shuffled } from '../random.js';
import { SERVICES, STORES, type Stage } from '../stage.js';
import { WHILE_MS, type Scenario } from './scenario.js';

/** Scenarios for `npm test`, each representative of similar ones. */
const QUICK = [
  'SIGKILL of records',
  'SIGKILL of worker',
  'SIGKILL of absence-rules',
  'SIGTERM of gateway',
  'SIGSTOP of tasks',
  'kill of nats',
];

const ofService = (what: string, strike: (stage: Stage, service: string) => Promise<void>): readonly Scenario[] =>
  SERVICES.map((service) => {
    const name = `${what} of ${service}`;
    return { group: 'processes', name, isQuick: QUICK.includes(name), strike: (stage) => strike(stage, service) };
  });

const inRandomOrder = (seed: number): Scenario => ({
  group: 'processes',
  name: `all services killed and started in random order ${String(seed)}`,
  async strike(stage) {
    await Promise.all(SERVICES.map((service) => stage.service(service).kill()));
    for (const service of shuffled(SERVICES, seeded(seed))) await stage.service(service).restart();
  },
});

export const processes: readonly Scenario[] = [
  ...ofService('SIGKILL', async (stage, service) => {
    await stage.service(service).kill();
    await stage.service(service).restart();
  }),
  ...ofService('SIGTERM', (stage, service) => stage.service(service).restart()),
  ...ofService('SIGSTOP', async (stage, service) => {
    stage.service(service).signal('SIGSTOP');
    await pause(WHILE_MS);
    stage.service(service).signal('SIGCONT');
  }),
  ...STORES.map((store): Scenario => {
    const name = `kill of ${store}`;
    return {
      group: 'processes',
      name,
      isQuick: QUICK.includes(name),
      async strike({ infra }) {
        await infra.servers[store].kill();
        await pause(WHILE_MS / 2);
        await infra.servers[store].restart();
      },
    };
  }),
  inRandomOrder(1),
  inRandomOrder(20),
];
