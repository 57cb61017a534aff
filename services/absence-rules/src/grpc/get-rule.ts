import type { handleUnaryCall } from '@grpc/grpc-js';
import type { absenceRulesV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { findVisibleRule } from '../operations/find-visible.js';
import { callOf } from './from-proto.js';
import { ruleToProto } from './to-proto.js';

export function getRuleRpc(context: Context): handleUnaryCall<absenceRulesV1.GetRuleRequest, absenceRulesV1.GetRuleResponse> {
  return unary(async ({ caller, ruleId }, call) => ({ rule: ruleToProto(await findVisibleRule(callOf(context, caller, call), ruleId)) }));
}
