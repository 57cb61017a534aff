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

/** Answers which records there are. */
export interface RecordReferences {
  /** Of these references those that nothing in the institution has the id of. @throws AppError `unavailable` */
  missing<T extends RecordReference>(institutionId: string, references: readonly T[]): Promise<readonly T[]>;
}

/** As many references as fit into a message without a thought. */
const REFERENCES_A_CALL = 10_000;

/** The references of the records service, as `ReferenceLookup` of libs/ingest needs them. */
export function recordReferences(client: recordsV1.RecordsServiceClient, signal?: AbortSignal): RecordReferences {
  return {
    async missing(institutionId, references) {
      const keys = new Set<string>();
      for (let at = 0; at < references.length; at += REFERENCES_A_CALL) {
        const named = references.slice(at, at + REFERENCES_A_CALL).map(({ kind, id }) => ({ kind: kinds[kind], id }));
        const request = { institutionId, references: named };
        const { missing } = await callUnary(client, client.findMissing, request, { idempotent: true, ...(signal && { signal }) });
        for (const { kind, id } of missing) keys.add(`${String(kind)}/${id}`);
      }
      return references.filter(({ kind, id }) => keys.has(`${String(kinds[kind])}/${id}`));
    },
  };
}
