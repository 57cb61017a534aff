import type { handleUnaryCall } from '@grpc/grpc-js';
import type { absenceRulesV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { deleteRule } from '../operations/delete-rule.js';
import { callOf } from './from-proto.js';

export function deleteRuleRpc(context: Context): handleUnaryCall<absenceRulesV1.DeleteRuleRequest, absenceRulesV1.DeleteRuleResponse> {
  return unary(async ({ caller, ruleId }, call) => {
    await deleteRule(callOf(context, caller, call), ruleId);
    return {};
  });
}
