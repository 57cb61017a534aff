/** A check of a service's stored data, for operators (`stechuhr doctor`): finds leftovers and losses that nothing else would repair. */
export interface Inspection {
  /** The name of the check; the command line has a text for each name. */
  readonly check: string;
  /** Where it looks: the name of a collection, or a key prefix in the object store. */
  readonly place: string;
  inspect(terms: InspectionTerms): Promise<Remains>;
}

/** How to inspect. */
export interface InspectionTerms {
  /** More recent data is excluded, since it may still be in use. */
  readonly olderThanMs: number;
  /** Whether to repair what can be repaired without losing data. */
  readonly repair: boolean;
  readonly signal: AbortSignal;
}

/** The result of an {@link Inspection}. */
export interface Remains {
  readonly count: number;
  /** Ids or keys of some findings. */
  readonly examples: readonly string[];
  /** How many were repaired. */
  readonly repaired: number;
}

/** As many examples as fit into a line of a terminal. */
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

/** Divides items into slices of one institution each, keeping their order, so that the query for a slice can name its institution. */
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
