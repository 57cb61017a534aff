import { describe, expect, it } from '@jest/globals';
import { scenarios, type Scenario } from '../scenarios/index.js';
import { drawn } from './draw.js';

/** The faults of that many rounds. */
function rounds(seed: number, count = 200): readonly (readonly Scenario[])[] {
  const faults = drawn(scenarios, seed);
  return Array.from({ length: count }, () => faults.next().value);
}

const namesOf = (seed: number): readonly (readonly string[])[] => rounds(seed).map((faults) => faults.map(({ name }) => name));

describe('faults are drawn', () => {
  it('in the same order for the same seed', () => {
    expect(namesOf(7)).toEqual(namesOf(7));
    expect(namesOf(7)).not.toEqual(namesOf(8));
  });

  it('one or two a round', () => {
    expect(new Set(rounds(7).map(({ length }) => length))).toEqual(new Set([1, 2]));
  });

  it('each once before one comes again', () => {
    const names = namesOf(7).flat();
    const different = new Set(names).size;
    expect(new Set(names.slice(0, different)).size).toBe(different);
    expect(names[0]).not.toBe(names[different]);
  });

  it('from all groups but those that need other clients or replicas', () => {
    const groups = rounds(7).flatMap((faults) => faults.map(({ group }) => group));
    expect([...new Set(groups)].sort()).toEqual(['clocks', 'network', 'object store', 'processes']);
  });
});
