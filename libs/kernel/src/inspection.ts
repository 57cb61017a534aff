/** A look at what a service stores, for operators: what nobody removes, completes or finds any more. */
export interface Inspection {
  /** What is looked for; the command line has a text for each. */
  readonly check: string;
  /** Where: the name of a collection, or with what keys begin. */
  readonly place: string;
  look(terms: InspectionTerms): Promise<Remains>;
}

/** How an {@link Inspection} is done. */
export interface InspectionTerms {
  /** What is younger may still be at work. */
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

/** As many as a line of a terminal shows. */
export const MAX_EXAMPLES = 3;

/** Counts while something is read. */
export class RemainsCounter implements Remains {
  count = 0;
  repaired = 0;
  readonly examples: string[] = [];

  add(name: string): void {
    this.count += 1;
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(name);
  }
}

/** Items in slices of one institution each, in their order: what is asked about them can name it. */
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
