import type { handleUnaryCall } from '@grpc/grpc-js';
import type { absenceRulesV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { createRule } from '../operations/create-rule.js';
import { callOf } from './from-proto.js';
import { ruleToProto } from './to-proto.js';

export function createRuleRpc(context: Context): handleUnaryCall<absenceRulesV1.CreateRuleRequest, absenceRulesV1.CreateRuleResponse> {
  return unary(async ({ caller, json }, call) => ({ rule: ruleToProto(await createRule(callOf(context, caller, call), json)) }));
}
