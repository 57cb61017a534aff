import type { Variant } from '../harness/types.js';

/** A variant of bench/peers: one that takes packages which nothing else needs. */
export function peer(path: string): Variant {
  return { module: new URL(`../../peers/dist/${path}.js`, import.meta.url) };
}
