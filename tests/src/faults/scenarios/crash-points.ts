import { setTimeout as pause } from 'node:timers/promises';
import type { GateDirection, TcpGate } from '@stechuhr/testing';
import { STORES, type Stage } from '../stage.js';
import type { Scenario } from './scenario.js';

/** A piece of work, with the client that triggers it and the service that does it. */
interface Work {
  readonly what: string;
  readonly client: string;
  readonly service: string;
}

/** Together they reach every line of code that changes a server, except those with a reason in `steps.test.ts`. */
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

/** The point of interruption: either the request of the service does not arrive, or the response does not. */
const sides = ['unsent', 'unanswered'] as const;
type Side = (typeof sides)[number];

/** The time after which all steps of a piece of work have been counted. */
const COUNTING_MS = 1_500;
const REACHED_MS = 5_000;
/** Upper limit for the number of steps of a piece of work. */
const MOST_STEPS = 24;

/** A scenario for each piece of work and side, which kills the service at each of its requests to a server in turn. */
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

/** Counts the requests that the service sends to servers during about one piece of work. */
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

/** Kills the service at its n-th request from now on, and restarts it. */
async function crashAt(stage: Stage, name: string, { step, side }: { readonly step: number; readonly side: Side }): Promise<void> {
  const service = stage.service(name);
  const crashed = Promise.withResolvers<undefined>();
  const state: { isCrashed: boolean } = { isCrashed: false };
  let count = 0;
  const crash = (): boolean => {
    state.isCrashed = true;
    // The signal is sent synchronously.
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
  // A service without work sends no more requests, so there is a time limit.
  await Promise.race([crashed.promise, pause(REACHED_MS)]);
  for (const gate of gatesOf(stage, name)) gate.release();
  if (state.isCrashed) await crashed.promise.then(() => service.restart());
}
