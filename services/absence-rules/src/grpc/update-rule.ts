import type { handleUnaryCall } from '@grpc/grpc-js';
import type { absenceRulesV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { updateRule } from '../operations/update-rule.js';
import { callOf } from './from-proto.js';
import { ruleToProto } from './to-proto.js';

export function updateRuleRpc(context: Context): handleUnaryCall<absenceRulesV1.UpdateRuleRequest, absenceRulesV1.UpdateRuleResponse> {
  return unary(async ({ caller, ruleId, json }, call) => ({
    rule: ruleToProto(await updateRule(callOf(context, caller, call), { id: ruleId, json })),
  }));
}
