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

/** A reference to a record that the records service owns; for an absence type, `id` is its value. */
export interface RecordReference {
  readonly kind: keyof typeof kinds;
  readonly id: string;
}

/** References, and the institution in which they have to exist. */
interface NamedRecords {
  readonly institutionId: string;
  readonly references: readonly RecordReference[];
}

/** Looks up which records exist. */
export interface RecordReferences {
  /** Returns the references for which no record with this id exists in the institution. @throws AppError `unavailable` */
  missing(named: readonly NamedRecords[]): Promise<readonly NamedRecords[]>;
}

/** Maximum number of references in a call; their message stays far below the size limit. */
const REFERENCES_PER_CALL = 10_000;

/** Creates the `ReferenceLookup` of libs/ingest that queries the records service, with separate calls for each institution. */
export function recordReferences(client: recordsV1.RecordsServiceClient, signal?: AbortSignal): RecordReferences {
  return {
    async missing(named) {
      const found: NamedRecords[] = [];
      for (const { institutionId, references } of named) {
        const keys = new Set<string>();
        for (let at = 0; at < references.length; at += REFERENCES_PER_CALL) {
          const some = references.slice(at, at + REFERENCES_PER_CALL).map(({ kind, id }) => ({ kind: kinds[kind], id }));
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
