import type { Change, KindName } from '../domain/kind.js';
import type { RecordStore } from './ports.js';

/** Kinds that others name. */
const NAMED: ReadonlySet<KindName> = new Set<KindName>(['institution', 'department', 'project', 'account', 'employee']);

/** The records that are stored, together with those of an import that writes nothing. */
export class ImportedRecords {
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
