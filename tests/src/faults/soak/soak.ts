import { openCampaign, type Campaign, type Line } from '../campaign.js';
import type { Load } from '../load.js';
import { startReaders } from '../readers.js';
import type { Scenario } from '../scenarios/index.js';
import type { Stage } from '../stage.js';
import { openObserver, type Observer, type Series } from './observer.js';

/** How long measures under load are taken before the first fault of a round. */
const CALM_MS = 16_000;
const READS_PER_SECOND = 6;
/** Number of rounds with the same firm. A round uploads hundreds of photos, and a firm may have 5,000 without an entry (docs/limits.md). */
const ROUNDS_OF_A_FIRM = 8;

type Faults = Iterator<readonly Scenario[], never>;

/** Options of a soak. */
export interface SoakOptions {
  readonly minutes: number;
  /** Number of partitions of each partitioned stream. */
  readonly partitions: number;
  /** The faults of each round in the first half. */
  readonly faults: Faults;
  /** The faults of each round in the second half. They do not end services, because leaks show only in long-running processes. */
  readonly sparing: Faults;
  /** Ends the soak after the current fault. */
  readonly signal: AbortSignal;
  readonly log: (line: Line) => void;
}

/** The results of a soak. */
export interface SoakResult {
  /** Completed rounds. */
  readonly rounds: readonly Line[];
  readonly series: readonly Series[];
}

/** Runs rounds: clients work first without, then with faults; then all work is completed, and the round is evaluated and measured. */
export async function soak({ minutes, partitions, faults, sparing, signal, log }: SoakOptions): Promise<SoakResult> {
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
      // An aborted round is not evaluated.
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
