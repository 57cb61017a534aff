import { partitionedStreams } from '@stechuhr/contracts';
import { Firm } from './firm.js';
import type { Answered } from './history.js';
import { judge, type Verdict } from './judge.js';
import { startLoad, type Load, type Pace } from './load.js';
import { readInitialState, observe, openServers, quiet, type InitialState, type Servers } from './observe/index.js';
import type { Scenario } from './scenarios/index.js';
import { partitionsOf } from './servers/jetstream.js';
import { allReady, openStage, type Stage, type StageOptions } from './stage.js';

/** A row of the table. */
export interface Line extends Verdict {
  readonly group: string;
  readonly name: string;
  /** Number of 5xx responses during the scenario, which contain the time for a retry. */
  readonly unavailable: number;
  /** Longest response time. */
  readonly slowestMs: number;
  /** Time from the end of the fault until every client was served again. */
  readonly recoveryMs: number;
  readonly seconds: number;
  /** The error because of which the scenario could not be evaluated. */
  readonly failure?: string;
}

/** Returns whether the scenario passed. */
export function holds({ lost, doubled, leftBehind, wrong, failure }: Line): boolean {
  return failure === undefined && [lost, doubled, leftBehind, wrong].every((found) => found.length === 0);
}

/** A stage with a firm, on which scenarios run sequentially. */
export interface Campaign {
  readonly stage: Stage;
  readonly servers: Servers;
  run(scenario: Scenario): Promise<Line>;
  /** Starts a round, in which several scenarios run sequentially with the same clients and are evaluated together at the end. */
  begin(pace?: Pace): Promise<Round>;
  close(): Promise<void>;
}

/** Working clients, until the results are evaluated. */
export interface Round {
  readonly load: Load;
  /** Injects the fault and always undoes it, even after an error. */
  strike(scenario: Scenario): Promise<void>;
  judge(): Promise<Verdict>;
}

/** How a campaign is set up. */
interface CampaignOptions extends StageOptions {
  /** Aborts waiting for work in progress; the evaluation is then meaningless. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a campaign.
 * @param scenarios number of scenarios per firm, whose records are limited (docs/limits.md); then a new firm is created
 */
export async function openCampaign(scenarios: number, { signal, ...options }: CampaignOptions = {}): Promise<Campaign> {
  const stage = await openStage(options);
  try {
    const servers = await openServers(stage);
    await expectPartitions(servers, options.partitions ?? 1);
    const firms = [await Firm.open(stage, scenarios)];
    await quiet(servers, signal);
    const before = await readInitialState(servers);
    const state = { stage, servers, firms, scenarios, before, signal };
    return {
      stage,
      servers,
      run: (scenario) => run(scenario, state),
      begin: (pace) => begin(state, pace),
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
  for (const { definition } of Object.values(partitionedStreams)) {
    const { length } = await partitionsOf(manager, definition.name);
    if (length !== wanted) throw new Error(`${definition.name} has ${String(length)} streams, not ${String(wanted)}.`);
  }
}

interface CampaignState {
  readonly stage: Stage;
  readonly servers: Servers;
  /** Firms so far; the last one may have unused slots. */
  readonly firms: Firm[];
  readonly scenarios: number;
  readonly before: InitialState;
  readonly signal: AbortSignal | undefined;
}

/** Returns a firm with an unused slot. */
async function firmOf({ stage, servers, firms, scenarios, signal }: CampaignState): Promise<Firm> {
  const last = firms.at(-1);
  if (last?.isUsedUp === false) return last;
  const next = await Firm.open(stage, scenarios, firms.length);
  await quiet(servers, signal);
  firms.push(next);
  return next;
}

async function begin(state: CampaignState, pace?: Pace): Promise<Round> {
  const { stage, servers, firms, before, signal } = state;
  const firm = await firmOf(state);
  const slot = firm.take();
  const subscribers = firms.flatMap((one) => one.subscribers);
  const since = { before, events: await servers.lastEvents(), received: stage.receiver.received.length, subscribers };
  const load = await startLoad({ stage, firm, slot }, pace);
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

/** Runs a scenario. @returns milliseconds until every client was served again */
async function recovery({ strike, load }: Round, scenario: Scenario): Promise<number> {
  await strike(scenario);
  return load.served();
}

async function run(scenario: Scenario, state: CampaignState): Promise<Line> {
  const { name, group } = scenario;
  const began = performance.now();
  const round = await begin(state, { clients: scenario.clients });
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

/** Describes a few of the failed requests. */
function noticedAs(failed: readonly Answered[]): string {
  const shown = failed
    .slice(0, 20)
    .map(({ client, status, ms, text }) => `${client}: ${String(status)} after ${ms.toFixed(0)} ms ${text ?? ''}`);
  return [`${String(failed.length)} requests failed`, ...shown].join('\n  ');
}
