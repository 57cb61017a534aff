import { holds, type Line } from '../campaign.js';
import { measures, type Measure, type MeasureName } from './measures.js';
import type { SoakResult } from './soak.js';
import { trendOf, type Trend } from './trend.js';

/**
 * At first services compile code, connect, and fill caches and memory pages. Without faults, the memory of all of them was stable after ten
 * minutes (docs/faults.md#soak).
 */
const WARM_UP_MS = 12 * 60_000;

/** A row of the table. */
export interface Row {
  readonly measure: MeasureName;
  readonly of: string;
  /** Values of the first and the last sample. */
  readonly from: number;
  readonly to: number;
  readonly trend: Trend;
}

/** The evaluation of a soak. */
export interface SoakVerdict {
  readonly rows: readonly Row[];
  /** Problems; empty if the soak passed. */
  readonly findings: readonly string[];
  readonly sentences: readonly string[];
}

export function judgeSoak({ rounds, series }: SoakResult): SoakVerdict {
  const rows = series.map(({ measure, of, samples }): Row => {
    const { allowance }: Measure = measures[measure];
    const trend = trendOf(samples, { warmUpMs: WARM_UP_MS, growth: allowance ?? Infinity });
    return { measure, of, from: samples[0]?.value ?? 0, to: samples.at(-1)?.value ?? 0, trend };
  });
  const judged = rows.filter(({ measure, trend }) => 'allowance' in measures[measure] && trend.grows !== undefined);
  const unjudged = rows.filter(({ measure, trend }) => 'allowance' in measures[measure] && trend.grows === undefined);
  const growing = judged.filter(({ trend }) => trend.grows === true);
  const failed = rounds.filter((round) => !holds(round));
  return {
    rows,
    findings: [
      ...(rounds.length === 0 ? ['no round came to its end'] : []),
      ...(judged.length === 0 ? ['it was too short to judge anything that has to be flat'] : []),
      ...failed.map(({ name }) => `${name} does not hold`),
      ...growing.map(({ measure, of, trend }) => `${measures[measure].title} of ${of} grows: ${sizeOf(measure, trend)}`),
    ],
    sentences: [
      `${countOf(rounds, 'acknowledged')} acknowledged writes and ${countOf(rounds, 'stored')} records in ${String(rounds.length)} rounds: ${faultsOf(rounds)}.`,
      `${String(judged.length - growing.length)} of ${String(judged.length)} series are flat.`,
      ...(unjudged.length === 0
        ? []
        : [
            `${String(unjudged.length)} series ${unjudged.length === 1 ? 'has' : 'have'} too few samples of one process after its first minutes to be judged.`,
          ]),
    ],
  };
}

const countOf = (rounds: readonly Line[], what: 'acknowledged' | 'stored'): string =>
  rounds.reduce((sum, round) => sum + round[what], 0).toLocaleString('en');

function faultsOf(rounds: readonly Line[]): string {
  const count = (what: 'lost' | 'doubled' | 'leftBehind' | 'wrong'): string =>
    String(rounds.reduce((sum, round) => sum + round[what].length, 0));
  return `${count('lost')} lost, ${count('doubled')} doubled, ${count('leftBehind')} left behind, ${count('wrong')} wrong`;
}

function sizeOf(measure: MeasureName, { growth = 0, leastGrowth = 0 }: Trend): string {
  const { unit, allowance = 0 }: Measure = measures[measure];
  const shown = (value: number): string => `${value.toFixed(1)}${unit && ` ${unit}`}`;
  return `by ${shown(growth)} in the run, by ${shown(leastGrowth)} at least; ${shown(allowance)} are allowed`;
}
