import { recordsV1 } from '@stechuhr/contracts';
import { callUnary } from '@stechuhr/service';

const { ReferencedKind: Kind } = recordsV1;

const kinds = {
  institution: Kind.REFERENCED_KIND_INSTITUTION,
  department: Kind.REFERENCED_KIND_DEPARTMENT,
  project: Kind.REFERENCED_KIND_PROJECT,
  account: Kind.REFERENCED_KIND_ACCOUNT,
  employee: Kind.REFERENCED_KIND_EMPLOYEE,
  absence_type: Kind.REFERENCED_KIND_ABSENCE_TYPE,
} as const;

/** A mention of a record that the records service owns; of an absence type `id` is its value. */
export interface RecordReference {
  readonly kind: keyof typeof kinds;
  readonly id: string;
}

/** What is named, and in which institution it has to be. */
interface NamedRecords {
  readonly institutionId: string;
  readonly references: readonly RecordReference[];
}

/** Answers which records there are. */
export interface RecordReferences {
  /** Of all that is named, what nothing in its institution has the id of. @throws AppError `unavailable` */
  missing(named: readonly NamedRecords[]): Promise<readonly NamedRecords[]>;
}

/** As many references as fit into a message without a thought. */
const REFERENCES_A_CALL = 10_000;

/** The references of the records service, as `ReferenceLookup` of libs/ingest needs them: a call for each institution. */
export function recordReferences(client: recordsV1.RecordsServiceClient, signal?: AbortSignal): RecordReferences {
  return {
    async missing(named) {
      const found: NamedRecords[] = [];
      for (const { institutionId, references } of named) {
        const keys = new Set<string>();
        for (let at = 0; at < references.length; at += REFERENCES_A_CALL) {
          const some = references.slice(at, at + REFERENCES_A_CALL).map(({ kind, id }) => ({ kind: kinds[kind], id }));
          const request = { institutionId, references: some };
          const { missing } = await callUnary(client, client.findMissing, request, { idempotent: true, ...(signal && { signal }) });
          for (const { kind, id } of missing) keys.add(`${String(kind)}/${id}`);
        }
        if (keys.size > 0)
          found.push({ institutionId, references: references.filter(({ kind, id }) => keys.has(`${String(kinds[kind])}/${id}`)) });
      }
      return found;
    },
  };
}
