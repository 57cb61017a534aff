import { Firm } from './firm.js';
import type { Answered } from './history.js';
import { judge, type Verdict } from './judge.js';
import { startLoad, type Load } from './load.js';
import { lookBefore, observe, openServers, quiet, type Before, type Servers } from './observe/index.js';
import type { Scenario } from './scenarios/index.js';
import { eventStreamsOf } from './servers/jetstream.js';
import { allReady, openStage, type Stage, type StageOptions } from './stage.js';

/** One line of the table. */
export interface Line extends Verdict {
  readonly group: string;
  readonly name: string;
  /** Answers with 5xx while it lasted; they say when to come back. */
  readonly unavailable: number;
  /** The longest that a client waited for an answer. */
  readonly slowestMs: number;
  /** From the end of the fault until every client had been served again. */
  readonly recoveryMs: number;
  readonly seconds: number;
  /** What kept it from being judged. */
  readonly failure?: string;
}

/** Whether nothing is to be mended. */
export function holds({ lost, doubled, leftBehind, wrong, failure }: Line): boolean {
  return failure === undefined && [lost, doubled, leftBehind, wrong].every((found) => found.length === 0);
}

/** A stage with a firm on it, on which scenarios run one after the other. */
export interface Campaign {
  readonly stage: Stage;
  readonly servers: Servers;
  run(scenario: Scenario): Promise<Line>;
  /** Several one after the other while the same clients work, judged together at the end. */
  begin(clients?: readonly string[]): Promise<Round>;
  close(): Promise<void>;
}

/** Clients at work, until they are judged. */
export interface Round {
  readonly load: Load;
  /** Disturbs the platform, and undoes it also when that fails. */
  strike(scenario: Scenario): Promise<void>;
  judge(): Promise<Verdict>;
}

/** How a campaign is set up. */
interface CampaignOptions extends StageOptions {
  /** Ends the waiting for what is under way; what is judged then is of no use. */
  readonly signal?: AbortSignal;
}

/** @param scenarios how many run in one firm, whose records have bounds (docs/limits.md): the next one gets another firm */
export async function openCampaign(scenarios: number, { signal, ...options }: CampaignOptions = {}): Promise<Campaign> {
  const stage = await openStage(options);
  try {
    const servers = await openServers(stage);
    await expectPartitions(servers, options.partitions ?? 1);
    const firms = [await Firm.open(stage, scenarios)];
    await quiet(servers, signal);
    const before = await lookBefore(servers);
    const state = { stage, servers, firms, scenarios, before, signal };
    return {
      stage,
      servers,
      run: (scenario) => run(scenario, state),
      begin: (clients) => begin(state, clients),
      async close() {
        await servers.close();
        await stage.stop();
      },
    };
  } catch (error) {
    await stage.stop();
    throw error;
  }
}

async function expectPartitions({ manager }: Servers, wanted: number): Promise<void> {
  const { length } = await eventStreamsOf(manager);
  if (length !== wanted) throw new Error(`The events are in ${String(length)} streams, not in ${String(wanted)}.`);
}

interface CampaignState {
  readonly stage: Stage;
  readonly servers: Servers;
  /** The last of them has slots that were not used. */
  readonly firms: Firm[];
  readonly scenarios: number;
  readonly before: Before;
  readonly signal: AbortSignal | undefined;
}

/** One with a slot to take. */
async function firmOf({ stage, servers, firms, scenarios, signal }: CampaignState): Promise<Firm> {
  const last = firms.at(-1);
  if (last?.isUsedUp === false) return last;
  const next = await Firm.open(stage, scenarios, firms.length);
  await quiet(servers, signal);
  firms.push(next);
  return next;
}

async function begin(state: CampaignState, clients?: readonly string[]): Promise<Round> {
  const { stage, servers, firms, before, signal } = state;
  const firm = await firmOf(state);
  const slot = firm.take();
  const subscribers = firms.flatMap((one) => one.subscribers);
  const since = { before, events: await servers.lastEvents(), received: stage.receiver.received.length, subscribers };
  const load = await startLoad({ stage, firm, slot }, clients);
  const { history } = load;
  await load.served();
  return {
    load,
    async strike(scenario) {
      try {
        await scenario.strike(stage, load);
      } finally {
        stage.heal();
      }
    },
    async judge() {
      await load.stop();
      await quiet(servers, signal);
      return judge(history, await observe(servers, { stage, firm, slot, history }, since));
    },
  };
}

/** @returns after how many milliseconds every client was served again */
async function recovery({ strike, load }: Round, scenario: Scenario): Promise<number> {
  await strike(scenario);
  return load.served();
}

async function run(scenario: Scenario, state: CampaignState): Promise<Line> {
  const { name, group } = scenario;
  const began = performance.now();
  const round = await begin(state, scenario.clients);
  const struck = await recovery(round, scenario).then(
    (recoveryMs) => ({ recoveryMs }),
    async (error: Error) => {
      await allReady(state.stage).catch(() => undefined);
      return { recoveryMs: 0, failure: error.message };
    },
  );
  const verdict = await round.judge();
  const { answers } = round.load.history;
  const failed = answers.filter(({ status }) => status === 0 || status >= 500);
  const noticed = scenario.isUnnoticed === true && failed.length > 0 ? { failure: noticedAs(failed) } : {};
  return {
    group,
    name,
    ...verdict,
    unavailable: answers.filter(({ status }) => status >= 500).length,
    slowestMs: Math.max(0, ...answers.map(({ ms }) => ms)),
    seconds: (performance.now() - began) / 1_000,
    ...noticed,
    ...struck,
  };
}

/** A few of those that failed. */
function noticedAs(failed: readonly Answered[]): string {
  const shown = failed
    .slice(0, 20)
    .map(({ client, status, ms, text }) => `${client}: ${String(status)} after ${ms.toFixed(0)} ms ${text ?? ''}`);
  return [`${String(failed.length)} requests failed`, ...shown].join('\n  ');
}
