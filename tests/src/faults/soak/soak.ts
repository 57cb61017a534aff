import { openCampaign, type Campaign, type Line } from '../campaign.js';
import type { Load } from '../load.js';
import { startReaders } from '../readers.js';
import type { Scenario } from '../scenarios/index.js';
import type { Stage } from '../stage.js';
import { openObserver, type Observer, type Series } from './observer.js';

/** How long a round is measured before its first fault. */
const CALM_MS = 16_000;
const READS_PER_SECOND = 6;
/** A firm has 5,000 photos that no entry names (docs/limits.md), and a round uploads hundreds. */
const ROUNDS_OF_A_FIRM = 8;

type Faults = Iterator<readonly Scenario[], never>;

/** How a soak runs. */
export interface SoakOptions {
  readonly minutes: number;
  /** Of the events. */
  readonly partitions: number;
  /** The faults of one round after the other. */
  readonly faults: Faults;
  /** Those of the second half: what is to be flat is seen in services that live through it. */
  readonly sparing: Faults;
  /** Ends it after the fault under way. */
  readonly signal: AbortSignal;
  readonly log: (line: Line) => void;
}

/** What it has seen. */
export interface Soaked {
  /** Rounds that came to their end. */
  readonly rounds: readonly Line[];
  readonly series: readonly Series[];
}

/** Round after round: clients work undisturbed, then through faults, until all is done, judged and measured. */
export async function soak({ minutes, partitions, faults, sparing, signal, log }: SoakOptions): Promise<Soaked> {
  const campaign = await openCampaign(ROUNDS_OF_A_FIRM, { signal, partitions });
  const observer = openObserver(campaign.stage, campaign.servers);
  const rounds: Line[] = [];
  try {
    const began = performance.now();
    const lasts = minutes * 60_000;
    const passed = (): number => (performance.now() - began) / lasts;
    while (passed() < 1 && !signal.aborted) {
      const own = (passed() < 0.5 ? faults : sparing).next().value;
      const line = await round(campaign, observer, { number: rounds.length + 1, faults: own, signal });
      // What was cut short is not judged.
      if (line === undefined) break;
      log(line);
      rounds.push(line);
    }
    return { rounds, series: observer.series };
  } finally {
    observer.close();
    await campaign.close();
  }
}

interface Round {
  readonly number: number;
  readonly faults: readonly Scenario[];
  readonly signal: AbortSignal;
}

async function round(campaign: Campaign, observer: Observer, { number, faults, signal }: Round): Promise<Line | undefined> {
  const names = faults.length === 0 ? 'no fault' : faults.map(({ name }) => name).join(', then ');
  const line = await campaign.run({
    group: 'soak',
    name: `round ${String(number)}: ${names}`,
    async strike(stage, load) {
      const readers = startReaders(load.tools, READS_PER_SECOND, [pdfOf(load.tools.slot)]);
      try {
        await observer.underLoad(CALM_MS, signal);
        for (const fault of faults) if (!signal.aborted) await struck(fault, stage, load);
      } finally {
        await readers.stop();
      }
    },
  });
  if (signal.aborted) return undefined;
  await observer.atRest();
  return line;
}

async function struck(fault: Scenario, stage: Stage, load: Load): Promise<void> {
  await fault.strike(stage, load);
  stage.heal();
  await load.served();
}

const pdfOf = ({ project, days: [day = ''] }: Load['tools']['slot']): string =>
  `daily-reports/reports/${encodeURIComponent(`${project}|${day}`)}/pdf/`;
