import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '../domain/rule.js';
import { findVisibleRule, noSuchRule } from './find-visible.js';
import { judgeRule } from './judge-rule.js';
import type { Call } from './ports.js';

export interface RuleChange {
  readonly id: string;
  /** The whole rule: there are no partial updates. */
  readonly json: string;
}

/**
 * Replaces a manual rule; it may go over to another employee. What changes nothing publishes nothing.
 *
 * @throws AppError `not_found`, whatever the body says; `invalid`
 */
export async function updateRule(call: Call, { id, json }: RuleChange): Promise<Rule> {
  const stored = await findVisibleRule(call, id);
  const rule: Rule = { id, ...(await judgeRule(call.records, json)), source: 'manual' };
  if (isDeepStrictEqual(stored, rule)) return stored;
  const replaced = await call.rules.replace(call.caller, rule, call.ruleEvent('absence-rules.rule.updated', call.caller, rule));
  if (!replaced) throw noSuchRule();
  call.notifyOutbox();
  return rule;
}
