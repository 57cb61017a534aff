import { describeMissing, referencesOf, type Outcome, type Reference, type ReferencedKind } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import type { RecordStore } from './ports.js';

type Resolves = (institutionId: string, reference: Pick<Reference, 'kind' | 'id'>) => boolean;
type LookedUpKind = Exclude<ReferencedKind, 'institution' | 'absence_type'>;

/** What is named, and in which institution it has to be. */
interface Named {
  readonly institutionId: string;
  readonly references: readonly Pick<Reference, 'kind' | 'id'>[];
}

/** The changes that name something which does not exist in their institution. Deletions name nothing. */
export async function findUnresolved(context: { records: RecordStore }, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  const unresolved = new Map<Change, Outcome>();
  const named = changes.map((change) => ({ change, ...change, references: referencesOf(kinds[change.kind], change) }));
  const resolves = await resolver(context.records, named);
  for (const { change, institutionId, references } of named) {
    const missing = references.find((reference) => !resolves(institutionId, reference));
    if (missing !== undefined) unresolved.set(change, { kind: 'unresolved', reason: describeMissing(missing) });
  }
  return unresolved;
}

/** Of the references those that nothing in the institution has the id of; another institution does not count. */
export async function findMissing(context: { records: RecordStore }, named: Named): Promise<readonly Pick<Reference, 'kind' | 'id'>[]> {
  const resolves = await resolver(context.records, [named]);
  return named.references.filter((reference) => !resolves(named.institutionId, reference));
}

/** Whether a reference exists; only for references that were looked up. */
async function resolver(records: RecordStore, named: readonly Named[]): Promise<Resolves> {
  const institutionIds = [...new Set(named.filter(({ references }) => references.length > 0).map(({ institutionId }) => institutionId))];
  if (institutionIds.length === 0) return () => true;
  const [absenceTypes, ...found] = await Promise.all([
    records.absenceTypes(institutionIds),
    ...[...idsNamed(named)].map(async ([kind, ids]) => [kind, await records.institutionsOf(kind, [...ids])] as const),
  ]);
  const existing = new Map(found);
  return (institutionId, { kind, id }) => {
    if (kind === 'institution') return id === institutionId && absenceTypes.has(id);
    if (kind === 'absence_type') return absenceTypes.get(institutionId)?.has(id) === true;
    return existing.get(kind)?.get(id) === institutionId;
  };
}

function idsNamed(named: readonly Named[]): Map<LookedUpKind, Set<string>> {
  const ids = new Map<LookedUpKind, Set<string>>();
  for (const { references } of named) {
    for (const { kind, id } of references) {
      if (kind === 'institution' || kind === 'absence_type') continue;
      const known = ids.get(kind);
      if (known === undefined) ids.set(kind, new Set([id]));
      else known.add(id);
    }
  }
  return ids;
}
