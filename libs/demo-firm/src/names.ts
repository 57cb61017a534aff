import { at } from './random.js';
import { namePools, type Origin } from './words/people.js';

export interface FullName {
  readonly first: string;
  readonly last: string;
}

/**
 * The name at a position of all first and last names of an origin. Steps of about the golden section through all pairs: neighbours differ
 * in both names, and a pair comes back only after all others.
 */
export function nameAt(origin: Origin, female: boolean, position: number): FullName {
  const pool = namePools[origin];
  const firstNames = female ? pool.female : pool.male;
  const pairs = firstNames.length * pool.last.length;
  const index = (position * strideFor(pairs)) % pairs;
  return { first: at(firstNames, index), last: at(pool.last, Math.floor(index / firstNames.length)) };
}

/** The first step from 0.618 of the way on that shares no divisor with the number of pairs. */
function strideFor(pairs: number): number {
  let stride = Math.round(pairs * 0.618);
  while (gcd(stride, pairs) !== 1) stride += 1;
  return stride;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

const SPELLED = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
  ['ø', 'oe'],
]);

/** A name as the local part of an address: German spelling of umlauts, other accents dropped, letters and hyphens only. */
export function asciiOf(name: string): string {
  const spelled = name.toLowerCase().replace(/[äöüßłđıø]/gu, (letter) => SPELLED.get(letter) ?? letter);
  return spelled.normalize('NFD').replace(/[^a-z-]/gu, '');
}
