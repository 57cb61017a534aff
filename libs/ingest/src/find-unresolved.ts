import type { Change } from './kinds/change.js';
import type { Kind, Reference } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';
import { describeMissing, referencesOf } from './kinds/references.js';

/** Answers which records of an institution there are; see `recordReferences` of libs/records-client. */
export interface ReferenceLookup {
  /** Of these references those that nothing in the institution has the id of. */
  missing(institutionId: string, references: readonly Reference[]): Promise<readonly Pick<Reference, 'kind' | 'id'>[]>;
}

/** The changes of a kind that name something which does not exist in their institution. */
export async function findUnresolved(
  lookup: ReferenceLookup,
  kind: Pick<Kind, 'identity'>,
  changes: readonly Change[],
): Promise<Map<Change, Outcome>> {
  const unresolved = new Map<Change, Outcome>();
  const byInstitution = Map.groupBy(changes, ({ institutionId }) => institutionId);
  for (const [institutionId, ofInstitution] of byInstitution) {
    const named = new Map(ofInstitution.flatMap((change) => referencesOf(kind, change).map((reference) => [keyOf(reference), reference])));
    if (named.size === 0) continue;
    const missing = new Set((await lookup.missing(institutionId, [...named.values()])).map(keyOf));
    for (const change of ofInstitution) {
      const first = referencesOf(kind, change).find((reference) => missing.has(keyOf(reference)));
      if (first !== undefined) unresolved.set(change, { kind: 'unresolved', reason: describeMissing(first) });
    }
  }
  return unresolved;
}

function keyOf({ kind, id }: Pick<Reference, 'kind' | 'id'>): string {
  return `${kind}/${id}`;
}
