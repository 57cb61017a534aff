import type { handleUnaryCall } from '@grpc/grpc-js';
import { commonV1, type recordsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { Account, Role } from '../domain/directory.js';
import { getAccount } from '../operations/get-account.js';

const roles: Readonly<Record<Role, commonV1.Role>> = {
  admin: commonV1.Role.ROLE_ADMIN,
  manager: commonV1.Role.ROLE_MANAGER,
  department_leader: commonV1.Role.ROLE_DEPARTMENT_LEADER,
};

export function getAccountRpc(context: Context): handleUnaryCall<recordsV1.GetAccountRequest, recordsV1.GetAccountResponse> {
  return unary(async ({ accountId }) => ({ account: accountToProto(await getAccount(context, accountId)) }));
}

export function accountToProto({ id, institutionId, firstName, lastName, role, departmentIds, projectIds }: Account): recordsV1.Account {
  const visibility = { role: roles[role], departmentIds, projects: projectIds && { projectIds } };
  return { id, institutionId, firstName, lastName, visibility };
}
