import type { Variant } from '../harness/types.js';

/** Returns a variant in bench/peers, which contains the variants with packages that nothing else needs. */
export function peer(path: string): Variant {
  return { module: new URL(`../../peers/dist/${path}.js`, import.meta.url) };
}
