import type { Named, ReferenceLookup } from '@stechuhr/ingest';
import type { Reference, ReferencedKind } from '@stechuhr/ingest/kinds';
import type { RecordStore } from './ports.js';

type Resolves = (institutionId: string, reference: Pick<Reference, 'kind' | 'id'>) => boolean;
type LookedUpKind = Exclude<ReferencedKind, 'institution' | 'absence_type'>;

/** What references are looked for in. */
export type Existing = Pick<RecordStore, 'absenceTypes' | 'institutionsOf'>;

/** Of the references those that nothing in the institution has the id of; another institution does not count. */
export async function findMissing(context: { records: Existing }, named: Named): Promise<Named['references']> {
  const resolves = await resolver(context.records, [named]);
  return named.references.filter((reference) => !resolves(named.institutionId, reference));
}

/** What lines name, looked up here instead of in a call. */
export function storedReferences(records: Existing): ReferenceLookup {
  return {
    async missing(named) {
      const resolves = await resolver(records, named);
      return named.map(({ institutionId, references }) => ({
        institutionId,
        references: references.filter((reference) => !resolves(institutionId, reference)),
      }));
    },
  };
}

/** Whether a reference exists; only for references that were looked up. */
async function resolver(records: Existing, named: readonly Named[]): Promise<Resolves> {
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
