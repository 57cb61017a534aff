import { setTimeout as pause } from 'node:timers/promises';
import type { GateDirection, TcpGate } from '@stechuhr/testing';
import { STORES, type Stage } from '../stage.js';
import type { Scenario } from './scenario.js';

/** A piece of work, by the client that asks for it and the service that does it. */
interface Work {
  readonly what: string;
  readonly client: string;
  readonly service: string;
}

/** Together they reach every line that changes a server, but for those that `steps.test.ts` gives a reason for. */
const works: readonly Work[] = [
  { what: 'a rule and its outbox', client: 'rules', service: 'absence-rules' },
  { what: 'a suppression and its outbox', client: 'suppressions', service: 'reviews' },
  { what: 'a live object and its outbox', client: 'live projects', service: 'records' },
  { what: 'a deletion', client: 'deletions', service: 'records' },
  { what: 'what follows a deletion', client: 'deletions', service: 'absence-rules' },
  { what: 'what follows a deletion', client: 'deletions', service: 'reviews' },
  { what: 'a task', client: 'tasks', service: 'tasks' },
  { what: 'a job and its upload', client: 'tasks', service: 'worker' },
  { what: 'autofill', client: 'autofill', service: 'daily-reports' },
  { what: 'the form of an upload', client: 'photos', service: 'daily-reports' },
];

/** Where a step is interrupted: what the service sends does not arrive, or the answer to it does not. */
const sides = ['unsent', 'unanswered'] as const;
type Side = (typeof sides)[number];

/** How long a service has for one piece of work until its steps count as all of them. */
const COUNTING_MS = 1_500;
const REACHED_MS = 5_000;
/** More steps than any of the works has. */
const MOST_STEPS = 24;

/** Between two steps of a service is what it sends to a server: it is killed at each of them, one after the other. */
export const crashPoints: readonly Scenario[] = works.flatMap(({ what, client, service }) =>
  sides.map((side): Scenario => ({
    group: 'crash points',
    name: `${service} killed at each step of ${what}, ${side}`,
    clients: [client],
    async strike(stage, load) {
      const steps = Math.min(MOST_STEPS, await countSteps(stage, service));
      for (let step = 1; step <= steps; step += 1) {
        await crashAt(stage, service, { step, side });
        await load.mostServed();
      }
    },
  })),
);

const gatesOf = (stage: Stage, service: string): readonly TcpGate[] => STORES.flatMap((store) => stage.gates(store, [service]));

/** What the service sends to servers in the time of about one piece of work. */
async function countSteps(stage: Stage, service: string): Promise<number> {
  let count = 0;
  const inspect = (direction: GateDirection): boolean => {
    if (direction === 'requests') count += 1;
    return true;
  };
  for (const gate of gatesOf(stage, service)) gate.inspect(inspect);
  await pause(COUNTING_MS);
  for (const gate of gatesOf(stage, service)) gate.release();
  return count;
}

/** Kills the service when it sends for the n-th time from now on, and starts it again. */
async function crashAt(stage: Stage, name: string, { step, side }: { readonly step: number; readonly side: Side }): Promise<void> {
  const service = stage.service(name);
  const crashed = Promise.withResolvers<undefined>();
  const state: { isCrashed: boolean } = { isCrashed: false };
  let count = 0;
  const crash = (): boolean => {
    state.isCrashed = true;
    // The signal is sent at once.
    service.kill().then(() => crashed.resolve(undefined), crashed.reject);
    return false;
  };
  for (const gate of gatesOf(stage, name)) {
    let awaited: number | undefined;
    gate.inspect((direction, connection) => {
      if (state.isCrashed) return false;
      if (direction === 'answers') return connection === awaited ? crash() : true;
      count += 1;
      if (count < step || awaited !== undefined) return true;
      if (side === 'unsent') return crash();
      awaited = connection;
      return true;
    });
  }
  // One with nothing left to do sends nothing.
  await Promise.race([crashed.promise, pause(REACHED_MS)]);
  for (const gate of gatesOf(stage, name)) gate.release();
  if (state.isCrashed) await crashed.promise.then(() => service.restart());
}
