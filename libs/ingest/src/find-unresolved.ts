import type { Change } from './kinds/change.js';
import type { Kind, Reference, ReferencedKind } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';
import { joinedProblems } from './kinds/problem.js';
import { describeMissing, referencesOf } from './kinds/references.js';

/** What is named, and in which institution it has to be; each once. */
export interface Named {
  readonly institutionId: string;
  readonly references: readonly Pick<Reference, 'kind' | 'id'>[];
}

/** Answers which records of institutions there are; see `recordReferences` of libs/records-client. */
export interface ReferenceLookup {
  /** Of all that is named, what nothing in its institution has the id of. */
  missing(named: readonly Named[]): Promise<readonly Named[]>;
}

/** What changes of a kind name and is not there (any more). */
export async function findMissing(
  lookup: ReferenceLookup,
  kind: Pick<Kind, 'identity'>,
  changes: readonly Change[],
): Promise<readonly Named[]> {
  const named = namedBy(kind, changes);
  const missing = named.length === 0 ? [] : await lookup.missing(named);
  return missing.filter(({ references }) => references.length > 0);
}

/** The changes of a kind that name something which does not exist in their institution; everything is looked up at once. */
export async function findUnresolved(
  lookup: ReferenceLookup,
  kind: Pick<Kind, 'identity'>,
  changes: readonly Change[],
): Promise<Map<Change, Outcome>> {
  const missing = await findMissing(lookup, kind, changes);
  const keys = new Set(missing.flatMap(({ institutionId, references }) => references.map((one) => keyOf(institutionId, one))));
  if (keys.size === 0) return new Map();
  return new Map(
    changes.flatMap((change) => {
      const unknown = referencesOf(kind, change).filter((reference) => keys.has(keyOf(change.institutionId, reference)));
      return unknown.length === 0 ? [] : [[change, { kind: 'unresolved', reason: joinedProblems(unknown.map(describeMissing)) }]];
    }),
  );
}

type Ids = Map<ReferencedKind, Set<string>>;

function namedBy(kind: Pick<Kind, 'identity'>, changes: readonly Change[]): Named[] {
  const byInstitution = new Map<string, Ids>();
  for (const change of changes) {
    for (const reference of referencesOf(kind, change)) {
      const ids: Ids = byInstitution.get(change.institutionId) ?? new Map();
      byInstitution.set(change.institutionId, ids);
      const ofKind = ids.get(reference.kind) ?? new Set();
      ids.set(reference.kind, ofKind.add(reference.id));
    }
  }
  return Array.from(byInstitution, ([institutionId, ids]) => ({
    institutionId,
    references: [...ids].flatMap(([named, ofKind]) => Array.from(ofKind, (id) => ({ kind: named, id }))),
  }));
}

function keyOf(institutionId: string, { kind, id }: Pick<Reference, 'kind' | 'id'>): string {
  return `${institutionId}/${kind}/${id}`;
}
