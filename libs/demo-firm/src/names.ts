import { at } from './random.js';
import { namePools, type Origin } from './words/people.js';

export interface FullName {
  readonly first: string;
  readonly last: string;
}

/**
 * Returns the name at a position in a permutation of all first and last names of an origin. It steps through all pairs by about the golden
 * section: consecutive names differ in both parts, and a pair repeats only after all others.
 */
export function nameAt(origin: Origin, female: boolean, position: number): FullName {
  const pool = namePools[origin];
  const firstNames = female ? pool.female : pool.male;
  const pairs = firstNames.length * pool.last.length;
  const index = (position * strideFor(pairs)) % pairs;
  return { first: at(firstNames, index), last: at(pool.last, Math.floor(index / firstNames.length)) };
}

/** Returns the smallest step from 0.618 of the number of pairs upwards that is coprime to it. */
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

/**
 * Converts a name to the local part of an email address: German transcription of umlauts, other accents removed, only letters and hyphens.
 */
export function asciiOf(name: string): string {
  const spelled = name.toLowerCase().replace(/[äöüßłđıø]/gu, (letter) => SPELLED.get(letter) ?? letter);
  return spelled.normalize('NFD').replace(/[^a-z-]/gu, '');
}
