import { median, spread } from './statistics.js';
import type { Measures, Ratio } from './types.js';

/** The runs of each variant of a case. */
export type Runs = Readonly<Record<string, readonly Measures[]>>;

/** `near` means that the target is missed by less than typical measurement noise; this does not count as a failure. */
export type Verdict = 'stretch' | 'met' | 'near' | 'missed';

export interface Judgement {
  readonly ratio: Ratio;
  readonly value: number;
  readonly verdict: Verdict;
}

/** The factor by which a target may be missed before the goal fails. */
const MARGIN = 1.25;
/** If the slowest and the fastest run of a variant differ by more than this factor, the machine was too busy for a reliable result. */
const NOISY = 1.6;

/** Computes the quotient of a goal and its verdict. @throws Error if a variant did not measure what the goal needs */
export function judge(ratio: Ratio, runs: Runs): Judgement {
  const below = typeof ratio.to === 'number' ? ratio.to : median(valuesOf(runs, ratio.to, ratio.measure));
  const value = median(valuesOf(runs, ratio.of, ratio.measure)) / below;
  return { ratio, value, verdict: verdictOn(ratio, value) };
}

/** Returns whether the runs vary so much that a missed goal should be measured again. */
export function isNoisy({ ratio }: Judgement, runs: Runs): boolean {
  const variants = typeof ratio.to === 'number' ? [ratio.of] : [ratio.of, ratio.to];
  return variants.some((variant) => spread(valuesOf(runs, variant, ratio.measure)) > NOISY);
}

/** Returns a sentence for each group whose outputs differ. A missing digest counts as different. */
export function differences(
  groups: readonly (readonly string[])[],
  digests: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return groups
    .filter((group) => group.some((name) => digests[name] === undefined || digests[name] !== digests[group[0] ?? '']))
    .map((group) => `outputs differ: ${group.map((name) => `${name} ${digests[name] ?? 'gave no digest'}`).join(', ')}`);
}

function verdictOn({ target, stretch, atLeast = false }: Ratio, value: number): Verdict {
  // Normalizes lower limits to upper limits. Equality is checked first, because with a limit of 0 the quotient is undefined.
  const excess = (limit: number): number => (value === limit ? 1 : atLeast ? limit / value : value / limit);
  if (stretch !== undefined && excess(stretch) <= 1) return 'stretch';
  if (excess(target) <= 1) return 'met';
  return excess(target) <= MARGIN ? 'near' : 'missed';
}

function valuesOf(runs: Runs, variant: string, measure: string): readonly number[] {
  const values = (runs[variant] ?? []).map((measures) => measures[measure]).filter((value) => value !== undefined);
  if (values.length === 0) throw new Error(`${variant} did not measure ${measure}`);
  return values;
}
