import { findVisibleRule, noSuchRule } from './find-visible.js';
import type { Call } from './ports.js';

/** Deletes a manual rule; balances are without it from now on. @throws AppError `not_found` */
export async function deleteRule(call: Call, id: string): Promise<void> {
  const rule = await findVisibleRule(call, id);
  const removed = await call.rules.remove(call.caller, id, call.ruleEvent('absence-rules.rule.deleted', call.caller, rule));
  if (!removed) throw noSuchRule();
  call.notifyOutbox();
}
