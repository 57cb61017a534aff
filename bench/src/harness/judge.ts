import { median, spread } from './statistics.js';
import type { Measures, Ratio } from './types.js';

/** The runs of each variant of a case. */
export type Runs = Readonly<Record<string, readonly Measures[]>>;

/** `near` is worse than the target by less than the noise of a machine that does other things too; it does not fail. */
export type Verdict = 'stretch' | 'met' | 'near' | 'missed';

export interface Judgement {
  readonly ratio: Ratio;
  readonly value: number;
  readonly verdict: Verdict;
}

/** What a measurement may be off by before a gate fails. */
const MARGIN = 1.25;
/** From here on runs of one variant say more about the machine than about the variant. */
const NOISY = 1.6;

/** The quotient of a goal and what it means; throws when a variant did not measure what the goal asks for. */
export function judge(ratio: Ratio, runs: Runs): Judgement {
  const below = typeof ratio.to === 'number' ? ratio.to : median(valuesOf(runs, ratio.to, ratio.measure));
  const value = median(valuesOf(runs, ratio.of, ratio.measure)) / below;
  return { ratio, value, verdict: verdictOn(ratio, value) };
}

/** Whether a missed goal should be measured once more. */
export function isNoisy({ ratio }: Judgement, runs: Runs): boolean {
  const variants = typeof ratio.to === 'number' ? [ratio.of] : [ratio.of, ratio.to];
  return variants.some((variant) => spread(valuesOf(runs, variant, ratio.measure)) > NOISY);
}

/** Groups whose outputs differ, as sentences; a digest that is missing differs too. */
export function differences(
  groups: readonly (readonly string[])[],
  digests: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return groups
    .filter((group) => group.some((name) => digests[name] === undefined || digests[name] !== digests[group[0] ?? '']))
    .map((group) => `outputs differ: ${group.map((name) => `${name} ${digests[name] ?? 'gave no digest'}`).join(', ')}`);
}

function verdictOn({ target, stretch, atLeast = false }: Ratio, value: number): Verdict {
  // As if all goals were upper limits; a limit of none is kept by none.
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
