import { recordsV1 } from '@stechuhr/contracts';
import type { Named, ReferenceLookup } from './find-unresolved.js';
import type { ReferencedKind } from './kinds/kind.js';

const { ReferencedKind: Kind } = recordsV1;

const names: ReadonlyMap<recordsV1.ReferencedKind, ReferencedKind> = new Map([
  [Kind.REFERENCED_KIND_INSTITUTION, 'institution'],
  [Kind.REFERENCED_KIND_DEPARTMENT, 'department'],
  [Kind.REFERENCED_KIND_PROJECT, 'project'],
  [Kind.REFERENCED_KIND_ACCOUNT, 'account'],
  [Kind.REFERENCED_KIND_EMPLOYEE, 'employee'],
]);

/** Records that a dry-run import would have stored or deleted in another service. */
export class ImportedReferences {
  /** Whether a record exists after the import, by institution, kind and id. */
  private readonly existsAfterImport = new Map<string, boolean>();
  private readonly deletedInstitutions = new Set<string>();

  add(records: readonly recordsV1.ImportedRecord[]): void {
    for (const { institutionId, kind, id, deleted } of records) {
      const name = names.get(kind);
      if (name === undefined) continue;
      this.existsAfterImport.set(`${institutionId}/${name}/${id}`, !deleted);
      if (name === 'institution' && deleted) this.deletedInstitutions.add(id);
    }
  }

  /** Returns a lookup that answers as if the import had been written. */
  over(stored: ReferenceLookup): ReferenceLookup {
    return {
      missing: async (named) => {
        const missing = new Map((await stored.missing(named)).map((one) => [one.institutionId, one.references]));
        return named.map((one) => ({ ...one, references: this.missingOf(one, missing.get(one.institutionId) ?? []) }));
      },
    };
  }

  private missingOf({ institutionId, references }: Named, missing: Named['references']): Named['references'] {
    const keys = new Set(missing.map(({ kind, id }) => `${kind}/${id}`));
    const isGone = this.deletedInstitutions.has(institutionId);
    return references.filter(({ kind, id }) => {
      const imported = this.existsAfterImport.get(`${institutionId}/${kind}/${id}`);
      return imported === undefined ? isGone || keys.has(`${kind}/${id}`) : !imported;
    });
  }
}
