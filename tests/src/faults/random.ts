/** Returns a deterministic pseudo-random generator of numbers from 0 to 1 (Park and Miller). @param seed a positive integer */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Returns the items in a random order. */
export function shuffled<T>(items: readonly T[], next: () => number): readonly T[] {
  return items
    .map((item) => ({ item, at: next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
