import { requireCaller, requireDay, requirePage, type absenceRulesV1, type commonV1 } from '@stechuhr/contracts';
import { parseUuid, PATIENCE_MS } from '@stechuhr/kernel';
import { serverStream, unary, type CallContext } from '@stechuhr/service';
import type { Context } from '../context.js';
import { getBalances, type BalanceTerms } from '../operations/get-balances.js';
import { listRules } from '../operations/list-rules.js';
import { createRule, deleteRule, getRule, updateRule } from '../operations/manual-rules.js';
import type { Call } from '../operations/ports.js';
import { balanceToProto, ruleToProto } from './to-proto.js';

/** Returns the handlers of the service. Each one decodes the request, runs its operation and encodes the response. */
export function handlersOf(context: Context): absenceRulesV1.AbsenceRulesServiceServer {
  const callOf = (caller: commonV1.Caller | undefined, rpc: CallContext) => toCall(context, caller, rpc);
  return {
    listRules: unary(
      async ({ caller, ...input }, rpc) => {
        const call = callOf(caller, rpc);
        const query = requirePage(input);
        const { count, results } = await context.inTurn(call.caller.institutionId, () => listRules(call, query), {
          signal: rpc.signal,
          patienceMs: PATIENCE_MS,
        });
        return { count, rules: results.map(ruleToProto) };
      },
      { atOnce: true },
    ),
    getRule: unary(async ({ caller, ruleId }, rpc) => ({ rule: ruleToProto(await getRule(callOf(caller, rpc), ruleId)) })),
    createRule: unary(async ({ caller, json }, rpc) => ({ rule: ruleToProto(await createRule(callOf(caller, rpc), json)) })),
    updateRule: unary(async ({ caller, ruleId, json }, rpc) => ({
      rule: ruleToProto(await updateRule(callOf(caller, rpc), { id: ruleId, json })),
    })),
    deleteRule: unary(async ({ caller, ruleId }, rpc) => {
      await deleteRule(callOf(caller, rpc), ruleId);
      return {};
    }),
    getBalances: serverStream(async function* ({ caller, employeeIds, onDay, missingTypes, withDetails }, rpc) {
      const call = callOf(caller, rpc);
      const query = { onDay: requireDay('on_day', onDay), missingTypes };
      const ids = employeeIds.flatMap((id) => parseUuid(id) ?? []);
      const terms: BalanceTerms<absenceRulesV1.EmployeeBalances> = {
        inTurn: (task) => context.inTurn(call.caller.institutionId, task, { signal: rpc.signal }),
        convert: ({ employeeId, balances }) => ({
          employeeId,
          balances: balances.map((balance) => balanceToProto(balance, withDetails)),
        }),
      };
      for await (const employees of getBalances(call, { ...query, employeeIds: ids }, terms)) yield { employees };
    }),
  };
}

/** Returns the dependencies of an operation for the caller of a request. */
function toCall(context: Context, named: commonV1.Caller | undefined, { signal }: CallContext): Call {
  const caller = requireCaller(named);
  return { ...context.ports, caller, records: context.recordsOf(caller, signal), signal };
}
