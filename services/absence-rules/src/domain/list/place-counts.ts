import type { PageRequest } from '@stechuhr/kernel';
import type { EpochDay } from '@stechuhr/worktime';
import { compareRules, type OrderedRule } from '../rule.js';

/** The position of a rule in the order of the list. Rules at the same position are sorted by employee and id. */
export interface Place {
  readonly availableFrom: EpochDay;
  readonly priority: number;
}

/** The positions from which a page takes rules. */
export interface PageWindow {
  readonly first: Place;
  readonly last: Place;
  /** The number of rules at the first position that precede the page. */
  readonly skip: number;
}

export function comparePlaces(a: Place, b: Place): number {
  return a.availableFrom - b.availableFrom || a.priority - b.priority;
}

export function isInWindow(place: Place, { first, last }: PageWindow): boolean {
  return comparePlaces(first, place) <= 0 && comparePlaces(place, last) <= 0;
}

/**
 * Counts rules by position, so that a page is found without loading the rules before it. Most rules share a few positions, such as 1
 * January.
 */
export class PlaceCounts {
  readonly #counts = new Map<EpochDay, Map<number, number>>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add({ availableFrom, priority }: Place): void {
    let ofDay = this.#counts.get(availableFrom);
    if (ofDay === undefined) this.#counts.set(availableFrom, (ofDay = new Map<number, number>()));
    ofDay.set(priority, (ofDay.get(priority) ?? 0) + 1);
    this.#total += 1;
  }

  /** Returns the positions of a page; undefined if it lies beyond the end. */
  windowOf({ offset, limit }: PageRequest): PageWindow | undefined {
    let before = 0;
    let start: Pick<PageWindow, 'first' | 'skip'> | undefined;
    let last: Place | undefined;
    for (const { place, count } of this.#inOrder()) {
      if (start === undefined && before + count > offset) start = { first: place, skip: offset - before };
      if (start !== undefined) last = place;
      before += count;
      if (before >= offset + limit) break;
    }
    return start === undefined || last === undefined ? undefined : { ...start, last };
  }

  *#inOrder(): Generator<{ readonly place: Place; readonly count: number }, void, undefined> {
    for (const [availableFrom, ofDay] of sorted(this.#counts)) {
      for (const [priority, count] of sorted(ofDay)) yield { place: { availableFrom, priority }, count };
    }
  }
}

function sorted<T>(map: ReadonlyMap<number, T>): [number, T][] {
  return [...map].sort(([a], [b]) => a - b);
}

/** Returns the rules of a page from all rules at its positions. Other rules among the candidates are ignored. */
export function cutPage<R extends OrderedRule>(candidates: readonly R[], window: PageWindow, limit: number): readonly R[] {
  const inOrder = candidates.filter((rule) => isInWindow(rule, window)).sort(compareRules);
  return inOrder.slice(window.skip, window.skip + limit);
}
