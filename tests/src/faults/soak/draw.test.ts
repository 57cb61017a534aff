import { describe, expect, it } from '@jest/globals';
import { scenarios, type Scenario } from '../scenarios/index.js';
import { drawn, type Choice } from './draw.js';

/** Returns the faults of several rounds. */
function rounds(seed: number, choice: Choice = 'all', count = 200): readonly (readonly Scenario[])[] {
  const faults = drawn(scenarios, seed, choice);
  return Array.from({ length: count }, () => faults.next().value);
}

const namesOf = (seed: number): readonly (readonly string[])[] => rounds(seed).map((faults) => faults.map(({ name }) => name));

describe('the faults of a soak are drawn', () => {
  it('in the same order for the same seed', () => {
    expect(namesOf(7)).toEqual(namesOf(7));
    expect(namesOf(7)).not.toEqual(namesOf(8));
  });

  it('one or two per round', () => {
    expect(new Set(rounds(7).map(({ length }) => length))).toEqual(new Set([1, 2]));
  });

  it('each once before any is repeated', () => {
    const names = namesOf(7).flat();
    const different = new Set(names).size;
    expect(new Set(names.slice(0, different)).size).toBe(different);
    expect(names[0]).not.toBe(names[different]);
  });

  it.each<[choice: Choice, groups: readonly Scenario['group'][]]>([
    ['all', ['clocks', 'network', 'object store', 'processes']],
    ['those that spare the services', ['clocks', 'network', 'object store']],
  ])('from all groups but those that need other clients or replicas: %s', (choice, expected) => {
    const groups = rounds(7, choice).flatMap((faults) => faults.map(({ group }) => group));
    expect([...new Set(groups)].sort()).toEqual(expected);
  });
});
