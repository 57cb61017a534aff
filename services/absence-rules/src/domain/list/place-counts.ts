import { AppError, type PageRequest } from '@stechuhr/kernel';
import type { EpochDay } from '@stechuhr/worktime';

/**
 * The maximum number of different positions in a list. The rules of a large company have some ten thousand, one for each day of hire and
 * priority; millions of priorities would exhaust memory.
 */
export const MAX_PLACES = 500_000;

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
  /** The number of rules at the last position that precede the end of the page, or more if the list ends before. */
  readonly take: number;
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
  readonly #reserve: () => void;
  readonly #maxPlaces: number;
  #total = 0;
  #places = 0;

  /** @param reserve is called before a new position takes memory; it throws if there is none */
  constructor(reserve: () => void = () => undefined, maxPlaces = MAX_PLACES) {
    this.#reserve = reserve;
    this.#maxPlaces = maxPlaces;
  }

  get total(): number {
    return this.#total;
  }

  /** @throws AppError `invalid` if the rules have too many different positions; the error of `reserve` */
  add({ availableFrom, priority }: Place): void {
    let ofDay = this.#counts.get(availableFrom);
    if (ofDay === undefined) this.#counts.set(availableFrom, (ofDay = new Map<number, number>()));
    const before = ofDay.get(priority);
    if (before === undefined) {
      if (++this.#places > this.#maxPlaces) throw tooManyPlaces(this.#maxPlaces);
      this.#reserve();
    }
    ofDay.set(priority, (before ?? 0) + 1);
    this.#total += 1;
  }

  /** Returns the positions of a page; undefined if it lies beyond the end. */
  windowOf({ offset, limit }: PageRequest): PageWindow | undefined {
    let before = 0;
    let start: Pick<PageWindow, 'first' | 'skip'> | undefined;
    let end: Pick<PageWindow, 'last' | 'take'> | undefined;
    for (const { place, count } of this.#inOrder()) {
      if (start === undefined && before + count > offset) start = { first: place, skip: offset - before };
      if (start !== undefined) end = { last: place, take: offset + limit - before };
      before += count;
      if (before >= offset + limit) break;
    }
    return start === undefined || end === undefined ? undefined : { ...start, ...end };
  }

  *#inOrder(): Generator<{ readonly place: Place; readonly count: number }, void, undefined> {
    for (const [availableFrom, ofDay] of sorted(this.#counts)) {
      for (const [priority, count] of sorted(ofDay)) yield { place: { availableFrom, priority }, count };
    }
  }
}

function sorted<V>(map: ReadonlyMap<number, V>): [number, V][] {
  return [...map].sort(([a], [b]) => a - b);
}

function tooManyPlaces(max: number): AppError {
  const reason = `The rules have more than ${String(max)} different days and priorities. Restrict daterange or employee_ids.`;
  return AppError.invalid({ non_field_errors: [reason] });
}
