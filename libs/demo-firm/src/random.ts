/** A deterministic random generator: the same key gives the same sequence on every machine. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer; both bounds are inclusive. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/**
 * Creates a generator. Every random decision of the demo ("is she ill in this week?") has its own generator, keyed by its subject. So
 * decisions do not depend on each other: a later run, or a larger organization, gives the same results.
 */
export function createRandom(...key: readonly (number | string)[]): Random {
  let state = 0x9e3779b9;
  for (const part of key) state = typeof part === 'number' ? mix(state ^ part) : mixText(state, part);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 0x1_0000_0000;
  };
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => at(items, Math.floor(next() * items.length)),
  };
}

/** Returns the item at an index, modulo the length. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[((index % items.length) + items.length) % items.length];
  if (item === undefined) throw new RangeError('An empty list has no entries.');
  return item;
}

/** The finalizer of MurmurHash3: every input bit changes half of the output bits on average. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mixText(state: number, text: string): number {
  let hash = state;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash);
}
