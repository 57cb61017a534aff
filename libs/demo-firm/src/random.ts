/** Chance that can be repeated: the same key gives the same sequence on every machine. */
export interface Random {
  /** 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Both ends inclusive. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/**
 * Every question of the demo ("is she ill in this week?") gets a generator of its own, keyed by what it is about. So an answer depends on
 * nothing that was asked before: tomorrow's run, or a larger organization, gives yesterday's answers again.
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

/** The entry at an index, counted round and round. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[((index % items.length) + items.length) % items.length];
  if (item === undefined) throw new RangeError('An empty list has no entries.');
  return item;
}

/** The finalizer of MurmurHash3: every bit of the input moves half of the output. */
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
