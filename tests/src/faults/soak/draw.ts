import { seeded, shuffled } from '../random.js';
import type { Scenario } from '../scenarios/index.js';

type Group = Scenario['group'];

/** Groups of faults that do not end services: detecting a leak needs a process that runs for a long time. */
const SPARING: readonly Group[] = ['network', 'clocks', 'object store'];
/** Groups of faults that work with all clients. Crash points count the steps of a single client. */
const GROUPS: readonly Group[] = ['processes', ...SPARING];

/** The faults from which a round is drawn. */
export type Choice = 'all' | 'those that spare the services';

/**
 * Yields the faults of each round, one or two: every scenario once in a random order, then again in another order. The order depends only
 * on the seed, not on timing.
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
