import type { Change } from './kinds/change.js';
import type { Kind, Reference, ReferencedKind } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';
import { joinedProblems } from './kinds/problem.js';
import { describeMissing, referencesOf } from './kinds/references.js';

/** References that have to exist in an institution, without duplicates. */
export interface Named {
  readonly institutionId: string;
  readonly references: readonly Pick<Reference, 'kind' | 'id'>[];
}

/** Looks up which records exist; see `recordReferences` of libs/records-client. */
export interface ReferenceLookup {
  /** Returns the references for which no record with this id exists in the institution. */
  missing(named: readonly Named[]): Promise<readonly Named[]>;
}

/** Returns the references of these changes that do not exist (any more). */
export async function findMissing(
  lookup: ReferenceLookup,
  kind: Pick<Kind, 'identity'>,
  changes: readonly Change[],
): Promise<readonly Named[]> {
  const named = namedBy(kind, changes);
  const missing = named.length === 0 ? [] : await lookup.missing(named);
  return missing.filter(({ references }) => references.length > 0);
}

/**
 * Returns the outcome `unresolved` for the changes that reference something that does not exist in their institution. All references are
 * looked up in one call.
 */
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
