import type { Reference, ReferencedKind } from '../domain/kind.js';
import type { Change } from '../domain/line.js';
import type { Outcome } from './outcome.js';
import type { RecordStore } from './ports.js';

type Resolves = (change: Change, reference: Reference) => boolean;
type LookedUpKind = Exclude<ReferencedKind, 'institution' | 'absence_type'>;

/** The changes that name something which does not exist in their institution. Deletions name nothing. */
export async function findUnresolved(context: { records: RecordStore }, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  const unresolved = new Map<Change, Outcome>();
  const named = changes.filter((change) => change.content !== null);
  if (named.length === 0) return unresolved;
  const resolves = await resolver(context.records, named);
  for (const change of named) {
    const missing = referencesOf(change).find((reference) => !resolves(change, reference));
    if (missing !== undefined) unresolved.set(change, { kind: 'unresolved', reason: describe(missing) });
  }
  return unresolved;
}

/** Whatever belongs to an institution needs it; an institution itself needs nothing. */
function referencesOf({ kind, institutionId, content }: Change): Reference[] {
  const own: Reference[] = kind === 'institution' ? [] : [{ field: 'institution_id', kind: 'institution', id: institutionId }];
  return [...own, ...(content?.references ?? [])];
}

async function resolver(records: RecordStore, changes: readonly Change[]): Promise<Resolves> {
  const institutionIds = [...new Set(changes.filter(({ kind }) => kind !== 'institution').map((change) => change.institutionId))];
  const idsByKind = idsNamed(changes);
  const [absenceTypes, ...found] = await Promise.all([
    records.absenceTypes(institutionIds),
    ...[...idsByKind].map(async ([kind, ids]) => [kind, await records.institutionsOf(kind, [...ids])] as const),
  ]);
  const existing = new Map(found);
  return ({ institutionId }, { kind, id }) => {
    if (kind === 'institution') return absenceTypes.has(id);
    if (kind === 'absence_type') return absenceTypes.get(institutionId)?.has(id) === true;
    return existing.get(kind)?.get(id) === institutionId;
  };
}

function idsNamed(changes: readonly Change[]): Map<LookedUpKind, Set<string>> {
  const ids = new Map<LookedUpKind, Set<string>>();
  for (const { content } of changes) {
    for (const { kind, id } of content?.references ?? []) {
      if (kind === 'institution' || kind === 'absence_type') continue;
      const known = ids.get(kind);
      if (known === undefined) ids.set(kind, new Set([id]));
      else known.add(id);
    }
  }
  return ids;
}

function describe({ field, kind, id }: Reference): string {
  if (kind === 'institution') return `${field} names no institution: ${id}.`;
  return `${field} names no ${kind.replaceAll('_', ' ')} of the institution: ${id}.`;
}
