import { dailyReportsV1, requireCaller, type commonV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { CallContext } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { ReportStatus } from '../domain/report.js';
import type { ReportPermission } from '../domain/status.js';
import type { Call, Caller } from '../operations/ports.js';

const { ReportStatus: Status, ReportPermission: Permission } = dailyReportsV1;

/** Returns the caller, which the gateway always sends. */
export function callerOf(caller: commonV1.Caller | undefined): Caller {
  const { institutionId, accountId } = requireCaller(caller);
  return { institutionId, accountId };
}

/** Returns the dependencies of an operation for the caller of a request. */
export function callOf(context: Context, caller: commonV1.Caller | undefined, { signal }: CallContext): Call {
  return { ...context.ports, caller: callerOf(caller), records: context.recordsOf(requireCaller(caller), signal), signal };
}

/** @throws AppError `invalid` */
export function statusFromProto(status: dailyReportsV1.ReportStatus): ReportStatus {
  switch (status) {
    case Status.REPORT_STATUS_DRAFT:
      return 'draft';
    case Status.REPORT_STATUS_SUBMITTED:
      return 'submitted';
    case Status.REPORT_STATUS_CLOSED:
      return 'closed';
    case Status.REPORT_STATUS_ARCHIVED:
      return 'archived';
    default:
      throw AppError.invalid({ status: [`"${String(status)}" is not a valid choice.`] });
  }
}

/** @throws AppError `invalid` */
export function permissionFromProto(permission: dailyReportsV1.ReportPermission): ReportPermission {
  switch (permission) {
    case Permission.REPORT_PERMISSION_EDIT:
      return 'edit';
    case Permission.REPORT_PERMISSION_APPROVE:
      return 'approve';
    case Permission.REPORT_PERMISSION_SUPERVISE:
      return 'supervise';
    default:
      throw AppError.invalid({ permissions: [`"${String(permission)}" is not a valid choice.`] });
  }
}
