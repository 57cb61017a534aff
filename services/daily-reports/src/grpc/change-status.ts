import type { handleUnaryCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { AppError, parseUuid } from '@stechuhr/kernel';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { changeStatus } from '../operations/change-status.js';
import { callOf, permissionFromProto, statusFromProto } from './from-proto.js';

type Request = dailyReportsV1.ChangeStatusRequest;

export function changeStatusRpc(context: Context): handleUnaryCall<Request, dailyReportsV1.ChangeStatusResponse> {
  return unary(async ({ caller, tagId: tag, date, status, permissions, reason }, call) => {
    const tagId = parseUuid(tag);
    if (tagId === undefined) throw AppError.invalid({ tag_id: ['Must be a valid UUID.'] });
    const changed = await changeStatus(callOf(context, caller, call), {
      report: { tagId, date },
      status: statusFromProto(status),
      permissions: permissions.map(permissionFromProto),
      reason: reason ?? null,
    });
    return { status, changed };
  });
}
