import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { absenceRulesV1 } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { getBalances } from '../operations/get-balances.js';
import { callOf } from './from-proto.js';
import { balanceToProto } from './to-proto.js';

type Request = absenceRulesV1.GetBalancesRequest;
type Response = absenceRulesV1.GetBalancesResponse;

export function getBalancesRpc(context: Context): handleServerStreamingCall<Request, Response> {
  return serverStream(async function* ({ caller, employeeIds, withDetails, ...query }, call) {
    const ids = employeeIds.flatMap((id) => parseUuid(id) ?? []);
    for await (const slice of getBalances(callOf(context, caller, call), { ...query, employeeIds: ids })) {
      const employees = slice.map(({ employeeId, balances }) => ({
        employeeId,
        balances: balances.map((balance) => balanceToProto(balance, withDetails)),
      }));
      yield { employees };
    }
  });
}
