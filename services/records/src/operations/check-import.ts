import type { ImportOptions } from '@stechuhr/ingest';
import { accepted, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import { kindNames, type Change, type Content, type KindName } from '../domain/kind.js';
import { findUnresolved } from './find-unresolved.js';
import { recordImport } from './ingest.js';
import type { RecordStore, WriteContext } from './ports.js';

/** An import that writes nothing: lines may refer to stored records and to other lines of the same import. */
export function recordCheck(context: WriteContext): ImportOptions<Content, KindName> {
  const { finished: _, ...options } = recordImport(context);
  const imported = new ImportedRecords(context.records);
  return { ...options, apply: (changes) => checkChanges(imported, changes) };
}

async function checkChanges(imported: ImportedRecords, changes: readonly Change[]): Promise<Outcome[]> {
  const outcomes = new Map<Change, Outcome>();
  for (const kind of kindNames) {
    const ofKind = changes.filter((change) => change.kind === kind);
    for (const [change, outcome] of await foreignOf(imported.stored, kind, ofKind)) outcomes.set(change, outcome);
    for (const [change, outcome] of await findUnresolved({ records: imported.records }, ofKind)) outcomes.set(change, outcome);
    for (const change of ofKind) if (!outcomes.has(change)) imported.add(change);
  }
  return changes.map((change) => outcomes.get(change) ?? accepted);
}

/** Records of other institutions; tracked time is stored in months and checked when it is written. */
async function foreignOf(records: RecordStore, kind: KindName, changes: readonly Change[]): Promise<ReadonlyMap<Change, Outcome>> {
  if (changes.length === 0 || kind === 'workday' || kind === 'workmonth') return new Map();
  const institutions = await records.institutionsOf(
    kind,
    changes.map(({ id }) => id),
  );
  return new Map(
    changes.flatMap((change) => {
      const institutionId = institutions.get(change.id);
      const outcome = institutionId === undefined ? undefined : obstacle(change, { institutionId, sequence: undefined });
      return outcome === undefined ? [] : [[change, outcome]];
    }),
  );
}

/** Kinds that others name. */
const NAMED: ReadonlySet<KindName> = new Set<KindName>(['institution', 'department', 'project', 'account', 'employee']);

/** The records that are stored, together with those of an import that writes nothing. */
class ImportedRecords {
  private readonly institutions = new Map<string, string>();
  private readonly absenceTypes = new Map<string, ReadonlySet<string>>();
  /** What references are looked for in. */
  readonly records: RecordStore;

  constructor(readonly stored: RecordStore) {
    this.records = {
      ...stored,
      institutionsOf: async (kind, ids) => {
        const found = new Map(await stored.institutionsOf(kind, ids));
        for (const id of ids) {
          const institutionId = this.institutions.get(`${kind}/${id}`);
          if (institutionId !== undefined) found.set(id, institutionId);
        }
        return found;
      },
      absenceTypes: async (institutionIds) => {
        const found = new Map(await stored.absenceTypes(institutionIds));
        for (const id of institutionIds) {
          const values = this.absenceTypes.get(id);
          if (values !== undefined) found.set(id, values);
        }
        return found;
      },
    };
  }

  add({ kind, institutionId, id, content }: Change): void {
    if (content === null || !NAMED.has(kind)) return;
    this.institutions.set(`${kind}/${id}`, institutionId);
    if (kind !== 'institution') return;
    const types = Array.isArray(content.fields.absence_types) ? content.fields.absence_types : [];
    this.absenceTypes.set(id, new Set(types.map(({ value }: { value: string }) => value)));
  }
}
