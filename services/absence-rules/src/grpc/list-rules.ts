import type { handleUnaryCall } from '@grpc/grpc-js';
import type { absenceRulesV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { listRules } from '../operations/list-rules.js';
import { callOf } from './from-proto.js';
import { ruleToProto } from './to-proto.js';

export function listRulesRpc(context: Context): handleUnaryCall<absenceRulesV1.ListRulesRequest, absenceRulesV1.ListRulesResponse> {
  return unary(async ({ caller, ...input }, call) => {
    const { count, results } = await listRules(callOf(context, caller, call), input);
    return { count, rules: results.map(ruleToProto) };
  });
}
