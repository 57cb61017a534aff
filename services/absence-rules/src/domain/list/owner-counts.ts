import { byText, compareRules, type OrderedRule } from '../rule.js';
import { comparePlaces, type PageWindow, type Place } from './place-counts.js';

/** The position of a rule, and its employee. Rules of the same are sorted by id. */
export interface OwnedPlace extends Place {
  readonly employeeId: string;
}

/** The part of the list from which a page takes rules, narrowed to employees. */
export interface OwnerWindow {
  readonly first: OwnedPlace;
  readonly last: OwnedPlace;
  /** The number of rules of the first employee at the first position that precede the page. */
  readonly skip: number;
}

/**
 * Counts the rules at the first and the last position of a page by employee. A position may have the rules of a whole institution, which
 * would exhaust memory; those between the two are on the page.
 */
export class OwnerCounts {
  readonly #window: PageWindow;
  readonly #first = new Map<string, number>();
  readonly #last = new Map<string, number>();

  constructor(window: PageWindow) {
    this.#window = window;
  }

  add(place: Place, employeeId: string): void {
    if (comparePlaces(place, this.#window.first) === 0) this.#first.set(employeeId, (this.#first.get(employeeId) ?? 0) + 1);
    if (comparePlaces(place, this.#window.last) === 0) this.#last.set(employeeId, (this.#last.get(employeeId) ?? 0) + 1);
  }

  get window(): OwnerWindow {
    const { first, last, skip, take } = this.#window;
    const from = ownerAt(this.#first, skip);
    const to = ownerAt(this.#last, take - 1);
    return {
      first: { ...first, employeeId: from.employeeId },
      last: { ...last, employeeId: to.employeeId },
      skip: skip - from.before,
    };
  }
}

/** Returns the employee of the rule with this number, or else the last one, and the number of rules of the employees before. */
function ownerAt(counts: ReadonlyMap<string, number>, number: number): { readonly employeeId: string; readonly before: number } {
  let before = 0;
  let owner = { employeeId: '', before };
  for (const [employeeId, count] of [...counts].sort(([a], [b]) => byText(a, b))) {
    owner = { employeeId, before };
    before += count;
    if (before > number) break;
  }
  return owner;
}

function compareOwned(a: OwnedPlace, b: OwnedPlace): number {
  return comparePlaces(a, b) || byText(a.employeeId, b.employeeId);
}

export function isOwnedInWindow(place: OwnedPlace, { first, last }: OwnerWindow): boolean {
  return compareOwned(first, place) <= 0 && compareOwned(place, last) <= 0;
}

/** Returns the rules of a page from all rules in its window. */
export function cutPage<R extends OrderedRule>(rules: readonly R[], { skip }: OwnerWindow, limit: number): readonly R[] {
  return [...rules].sort(compareRules).slice(skip, skip + limit);
}
