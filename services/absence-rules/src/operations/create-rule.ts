import { newId } from '@stechuhr/kernel';
import type { Rule } from '../domain/rule.js';
import { judgeRule } from './judge-rule.js';
import type { Call } from './ports.js';

/** Stores a manual rule. @throws AppError `invalid` */
export async function createRule(call: Call, json: string): Promise<Rule> {
  const rule: Rule = { id: newId(), ...(await judgeRule(call.records, json)), source: 'manual' };
  await call.rules.insert(call.caller, rule, call.ruleEvent('absence-rules.rule.created', call.caller, rule));
  call.notifyOutbox();
  return rule;
}
