/** One check of what a service stores, for operators (`stechuhr doctor`): it finds what nothing else would remove, complete or find. */
export interface Inspection {
  /** The name of what it searches for; the command line has a text for each. */
  readonly check: string;
  /** Where it searches: the name of a collection, or the beginning of keys in the object store. */
  readonly place: string;
  inspect(terms: InspectionTerms): Promise<Remains>;
}

/** How to inspect. */
export interface InspectionTerms {
  /** What is younger may still be in progress, and is left out. */
  readonly olderThanMs: number;
  /** Whether to repair what can be repaired without losing anything. */
  readonly repair: boolean;
  readonly signal: AbortSignal;
}

/** What an {@link Inspection} found. */
export interface Remains {
  readonly count: number;
  /** Ids or keys of some. */
  readonly examples: readonly string[];
  /** How many were repaired. */
  readonly repaired: number;
}

/** How many examples fit into a line of a terminal. */
export const MAX_EXAMPLES = 3;

/** Collects what an {@link Inspection} finds. */
export class RemainsCounter implements Remains {
  count = 0;
  repaired = 0;
  readonly examples: string[] = [];

  add(name: string): void {
    this.count += 1;
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(name);
  }
}

/** Divides items into slices of one institution each, in their order, so that a query about a slice can name its institution. */
export async function* slicesByInstitution<T extends { readonly institutionId: string }>(
  items: AsyncIterable<T>,
  size: number,
): AsyncGenerator<{ readonly institutionId: string; readonly items: readonly T[] }, void, undefined> {
  let slice: { institutionId: string; items: T[] } | undefined;
  for await (const item of items) {
    if (slice?.institutionId === item.institutionId && slice.items.length < size) slice.items.push(item);
    else {
      if (slice !== undefined) yield slice;
      slice = { institutionId: item.institutionId, items: [item] };
    }
  }
  if (slice !== undefined) yield slice;
}
