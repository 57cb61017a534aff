import { recordsV1 } from '@stechuhr/contracts';
import type { SentLine } from './owner-call.js';

const { ReferencedKind: Kind } = recordsV1;

/** The kinds of records that other services refer to. */
const kinds: ReadonlyMap<unknown, recordsV1.ReferencedKind> = new Map([
  ['institution', Kind.REFERENCED_KIND_INSTITUTION],
  ['department', Kind.REFERENCED_KIND_DEPARTMENT],
  ['project', Kind.REFERENCED_KIND_PROJECT],
  ['account', Kind.REFERENCED_KIND_ACCOUNT],
  ['employee', Kind.REFERENCED_KIND_EMPLOYEE],
]);

/** Collects the records that the lines of an import store or delete and that other lines may refer to. */
export class NamedRecords {
  private readonly noted = new Map<string, recordsV1.ImportedRecord>();

  note({ file, line, json }: SentLine): void {
    const { kind, institution_id: institution, id, deleted } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const named = kinds.get(kind);
    if (named === undefined || typeof id !== 'string') return;
    const institutionId = typeof institution === 'string' ? institution : id;
    const record = { institutionId: institutionId.toLowerCase(), kind: named, id: id.toLowerCase(), deleted: deleted === true };
    this.noted.set(`${file}:${String(line)}`, record);
  }

  /** Removes the records of a rejected line, which will not be stored. */
  forget({ file, line }: Pick<SentLine, 'file' | 'line'>): void {
    this.noted.delete(`${file}:${String(line)}`);
  }

  /** In the order of the lines, so that the last line of a record wins. */
  records(): readonly recordsV1.ImportedRecord[] {
    return [...this.noted.values()];
  }
}
