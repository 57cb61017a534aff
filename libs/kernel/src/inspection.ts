/**
 * A check of the data that a service stores, for operators (`stechuhr doctor`). It finds defects that are not detected or repaired
 * otherwise.
 */
export interface Inspection {
  /** The name of the defect that it searches for; the command line has a text for each. */
  readonly check: string;
  /** Where it searches: a collection, or a key prefix in the object store. */
  readonly place: string;
  inspect(terms: InspectionTerms): Promise<Remains>;
}

/** The options of an inspection. */
export interface InspectionTerms {
  /** Minimum age of defects; younger data may still be in progress and is ignored. */
  readonly olderThanMs: number;
  /** Whether to repair defects that can be repaired without losing data. */
  readonly repair: boolean;
  readonly signal: AbortSignal;
}

/** The result of an {@link Inspection}. */
export interface Remains {
  readonly count: number;
  /** Ids or keys of some of them. */
  readonly examples: readonly string[];
  /** The number of repaired defects. */
  readonly repaired: number;
}

/** The number of examples that fit into a line of a terminal. */
export const MAX_EXAMPLES = 3;

/** Collects the findings of an {@link Inspection}. */
export class RemainsCounter implements Remains {
  count = 0;
  repaired = 0;
  readonly examples: string[] = [];

  add(name: string): void {
    this.count += 1;
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(name);
  }
}

/**
 * Divides items into slices of at most `size`, each of one institution, without changing their order, so that a query for a slice can
 * include its institution.
 */
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
