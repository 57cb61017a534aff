import type { handleUnaryCall } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import type { ReferencedKind } from '@stechuhr/ingest/kinds';
import { AppError } from '@stechuhr/kernel';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { findMissing } from '../operations/find-missing.js';

const { ReferencedKind: Kind } = recordsV1;

export function findMissingRpc(context: Context): handleUnaryCall<recordsV1.FindMissingRequest, recordsV1.FindMissingResponse> {
  return unary(async ({ institutionId, references }) => {
    const named = references.map((reference) => ({ kind: toKind(reference.kind), id: reference.id, reference }));
    const missing = new Set(await findMissing(context, { institutionId, references: named }));
    return { missing: named.filter((one) => missing.has(one)).map(({ reference }) => reference) };
  });
}

function toKind(kind: recordsV1.ReferencedKind): ReferencedKind {
  switch (kind) {
    case Kind.REFERENCED_KIND_INSTITUTION:
      return 'institution';
    case Kind.REFERENCED_KIND_DEPARTMENT:
      return 'department';
    case Kind.REFERENCED_KIND_PROJECT:
      return 'project';
    case Kind.REFERENCED_KIND_ACCOUNT:
      return 'account';
    case Kind.REFERENCED_KIND_EMPLOYEE:
      return 'employee';
    case Kind.REFERENCED_KIND_ABSENCE_TYPE:
      return 'absence_type';
    default:
      throw new AppError('invalid', 'A kind of record is unknown.');
  }
}
