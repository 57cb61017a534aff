import { seeded, shuffled } from '../random.js';
import type { Scenario } from '../scenarios/index.js';

/** Those that strike wherever all clients work: crash points count the steps of a single one. */
const GROUPS: readonly Scenario['group'][] = ['processes', 'network', 'clocks', 'object store'];

/**
 * The faults of one round after the other, one or two each: every scenario once in an order of the seed, and again in another one. How long
 * anything takes changes nothing.
 */
export function* drawn(scenarios: readonly Scenario[], seed: number): Generator<readonly Scenario[], never> {
  const next = seeded(seed);
  const wanted = scenarios.filter(({ group, beside }) => GROUPS.includes(group) && beside === undefined);
  let left: readonly Scenario[] = [];
  for (;;) {
    if (left.length === 0) left = shuffled(wanted, next);
    const count = next() < 0.5 ? 1 : 2;
    yield left.slice(0, count);
    left = left.slice(count);
  }
}
