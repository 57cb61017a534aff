import { allAccepted, applyToOwnedKinds, type ImportOptions, type OwnedKind } from '@stechuhr/ingest';
import { kindNames, type Change, type Content, type KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import { storedReferences, type Existing } from './find-missing.js';
import { recordIngest } from './ingest.js';
import type { WriteContext } from './ports.js';

/** An import that writes nothing: lines may refer to stored records and to other lines of the same import. */
export function recordCheck(context: WriteContext): ImportOptions<Content, KindName> {
  const { finished: _, ...options } = recordIngest(context);
  const imported = new ImportedRecords(context.records);
  const checked = kindNames.map((name) => checkedKind(imported, name));
  return { ...options, apply: applyToOwnedKinds({ kinds: checked, references: storedReferences(imported) }) };
}

/** Of stored records only the institution is checked; tracked time is stored in months and checked when it is written. */
function checkedKind(imported: ImportedRecords, name: KindName): OwnedKind<Content, KindName> {
  return {
    kind: kinds[name],
    async begin(changes: readonly Change[]) {
      const ids = changes.map(({ id }) => id);
      const institutions =
        name === 'workday' || name === 'workmonth' ? new Map<string, string>() : await imported.stored.institutionsOf(name, ids);
      const planned: Change[] = [];
      const plan = (change: Change) => void planned.push(change);
      return {
        stored({ id }) {
          const institutionId = institutions.get(id);
          return institutionId === undefined ? undefined : { institutionId, sequence: undefined };
        },
        put: plan,
        remove: plan,
        save() {
          for (const change of planned) imported.add(change);
          return Promise.resolve(allAccepted(planned));
        },
      };
    },
  };
}

/** Kinds that others name. */
const NAMED: ReadonlySet<KindName> = new Set<KindName>(['institution', 'department', 'project', 'account', 'employee']);

/** The records that are stored, together with those of an import that writes nothing. */
class ImportedRecords implements Existing {
  private readonly institutions = new Map<string, string>();
  private readonly types = new Map<string, ReadonlySet<string>>();

  constructor(readonly stored: Existing) {}

  institutionsOf: Existing['institutionsOf'] = async (kind, ids) => {
    const found = new Map(await this.stored.institutionsOf(kind, ids));
    for (const id of ids) {
      const institutionId = this.institutions.get(`${kind}/${id}`);
      if (institutionId !== undefined) found.set(id, institutionId);
    }
    return found;
  };

  absenceTypes: Existing['absenceTypes'] = async (institutionIds) => {
    const found = new Map(await this.stored.absenceTypes(institutionIds));
    for (const id of institutionIds) {
      const values = this.types.get(id);
      if (values !== undefined) found.set(id, values);
    }
    return found;
  };

  add({ kind, institutionId, id, content }: Change): void {
    if (content === null || !NAMED.has(kind)) return;
    this.institutions.set(`${kind}/${id}`, institutionId);
    if (kind !== 'institution') return;
    const types = Array.isArray(content.fields.absence_types) ? content.fields.absence_types : [];
    this.types.set(id, new Set(types.map(({ value }: { value: string }) => value)));
  }
}
