import type { handleUnaryCall } from '@grpc/grpc-js';
import { roles, type recordsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { Account } from '../domain/directory.js';
import { getAccount } from '../operations/get-account.js';

export function getAccountRpc(context: Context): handleUnaryCall<recordsV1.GetAccountRequest, recordsV1.GetAccountResponse> {
  return unary(async ({ accountId }) => ({ account: accountToProto(await getAccount(context, accountId)) }));
}

export function accountToProto({ id, institutionId, firstName, lastName, role, departmentIds, projectIds }: Account): recordsV1.Account {
  const visibility = { role: roles[role], departmentIds, projects: projectIds && { projectIds } };
  return { id, institutionId, firstName, lastName, visibility };
}
