import { seeded, shuffled } from '../random.js';
import type { Scenario } from '../scenarios/index.js';

type Group = Scenario['group'];

/** After which services live on: a leak needs a process that runs for long. */
const SPARING: readonly Group[] = ['network', 'clocks', 'object store'];
/** Those that strike wherever all clients work: crash points count the steps of a single one. */
const GROUPS: readonly Group[] = ['processes', ...SPARING];

/** Which faults a round may have. */
export type Choice = 'all' | 'those that spare the services';

/**
 * The faults of one round after the other, one or two each: every scenario once in an order of the seed, and again in another one. How long
 * anything takes changes nothing.
 */
export function* drawn(scenarios: readonly Scenario[], seed: number, choice: Choice = 'all'): Generator<readonly Scenario[], never> {
  const next = seeded(seed);
  const groups = choice === 'all' ? GROUPS : SPARING;
  const wanted = scenarios.filter(({ group, beside }) => groups.includes(group) && beside === undefined);
  let left: readonly Scenario[] = [];
  for (;;) {
    if (left.length === 0) left = shuffled(wanted, next);
    const count = next() < 0.5 ? 1 : 2;
    yield left.slice(0, count);
    left = left.slice(count);
  }
}
