import type { Named, ReferenceLookup } from '@stechuhr/ingest';
import type { Reference, ReferencedKind } from '@stechuhr/ingest/kinds';
import { nameOf } from '../domain/month-contents.js';
import type { RecordName, RecordStore } from './ports.js';

type Resolves = (institutionId: string, reference: Pick<Reference, 'kind' | 'id'>) => boolean;
type LookedUpKind = Exclude<ReferencedKind, 'institution' | 'absence_type'>;

/** The lookups that resolve references. */
export type Existing = Pick<RecordStore, 'absenceTypes' | 'existing'>;

/** Returns the references whose record does not exist in the institution. Records of other institutions do not count. */
export async function findMissing(context: { records: Existing }, named: Named): Promise<Named['references']> {
  const resolves = await resolver(context.records, [named]);
  return named.references.filter((reference) => !resolves(named.institutionId, reference));
}

/** Looks up the references of imported lines in the own stores, without a gRPC call. */
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

/** Returns a function that tells whether a reference exists. It can be used only for the references in `named`. */
async function resolver(records: Existing, named: readonly Named[]): Promise<Resolves> {
  const institutionIds = [...new Set(named.filter(({ references }) => references.length > 0).map(({ institutionId }) => institutionId))];
  if (institutionIds.length === 0) return () => true;
  const areInstitutionsNamed = named.some(({ references }) => references.some(({ kind }) => isOfInstitution(kind)));
  const [absenceTypes, ...found] = await Promise.all([
    areInstitutionsNamed ? records.absenceTypes(institutionIds) : new Map<string, ReadonlySet<string>>(),
    ...[...recordsNamed(named)].map(async ([kind, wanted]) => [kind, await records.existing(kind, wanted)] as const),
  ]);
  const existing = new Map(found);
  return (institutionId, { kind, id }) => {
    if (kind === 'institution') return id === institutionId && absenceTypes.has(id);
    if (kind === 'absence_type') return absenceTypes.get(institutionId)?.has(id) === true;
    return existing.get(kind)?.has(nameOf({ institutionId }, id)) === true;
  };
}

/** Whether what is referenced is an institution, or a part of one. */
function isOfInstitution(kind: ReferencedKind): kind is Exclude<ReferencedKind, LookedUpKind> {
  return kind === 'institution' || kind === 'absence_type';
}

function recordsNamed(named: readonly Named[]): Map<LookedUpKind, RecordName[]> {
  const wanted = new Map<LookedUpKind, RecordName[]>();
  for (const { institutionId, references } of named) {
    for (const { kind, id } of references) {
      if (isOfInstitution(kind)) continue;
      const known = wanted.get(kind);
      if (known === undefined) wanted.set(kind, [{ institutionId, id }]);
      else known.push({ institutionId, id });
    }
  }
  return wanted;
}
