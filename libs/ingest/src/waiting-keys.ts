const BITS = 1 << 24;
const HASHES = 4;

/**
 * The set of records or institutions that have waiting lines, as a Bloom filter of fixed size (2 MiB). False positives are harmless: a line
 * waits unnecessarily. There are no false negatives.
 */
export class WaitingKeys {
  private readonly words = new Uint32Array(BITS / 32);

  add(key: string): void {
    for (const bit of bitsOf(key)) this.words[bit >>> 5] = (this.words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  has(key: string): boolean {
    return bitsOf(key).every((bit) => ((this.words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0);
  }
}

/** Derives any number of hashes from two (Kirsch and Mitzenmacher, 2006). */
function bitsOf(key: string): number[] {
  const first = fnv1a(key, 0x811c9dc5);
  const second = fnv1a(key, 0x9e3779b9) | 1;
  return Array.from({ length: HASHES }, (_, index) => ((first + Math.imul(index, second)) >>> 0) & (BITS - 1));
}

function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 12);
}
