import { isDeepStrictEqual } from 'node:util';
import { AppError, newId } from '@stechuhr/kernel';
import type { Rule } from '../domain/rule.js';
import { judgeRule } from './judge-rule.js';
import type { Call, CallerRecords, Ports, Tenant } from './ports.js';
import { noSuchRule, visibleAmong } from './visible.js';

/**
 * Returns a manual rule of an employee whom the caller may see. Generated rules are not addressable (spec, Absence rules).
 *
 * @throws AppError `not_found`
 */
export async function getRule(call: Call, id: string): Promise<Rule> {
  const rule = await findRule(call, id);
  const visible = await visibleAmong(call.records, [rule.employeeId]);
  if (!visible.has(rule.employeeId)) throw noSuchRule();
  return rule;
}

/** Creates a manual rule. @throws AppError `invalid` */
export async function createRule(call: Call, json: string): Promise<Rule> {
  const rule: Rule = { id: newId(), ...(await judgeRule(call.records, json)), source: 'manual' };
  const { limit, caller } = call;
  const [, hasRoom] = await Promise.all([refuseTooMany(call, rule.employeeId), limit.hasRoom(caller.institutionId)]);
  if (!hasRoom) throw AppError.invalid({ non_field_errors: [`The institution has ${String(limit.max)} manual rules. Delete one first.`] });
  const event = call.ruleEvent('absence-rules.rule.created', call.caller, rule);
  await call.rules.insert(call.caller, rule, event);
  if (await hasTooMany(call, rule.employeeId)) {
    const isTakenBack = await call.rules.takeBack(call.caller, rule, call.ruleEvent('absence-rules.rule.deleted', call.caller, rule));
    call.notifyOutbox();
    if (isTakenBack) throw tooMany(call);
    // Another request has found the rule in a list and changed or deleted it. Its answer was that this is done, so the rule was created.
    return rule;
  }
  call.notifyOutbox({ events: [event], alone: { docId: rule.id, institutionId: call.caller.institutionId } });
  return rule;
}

/** @throws AppError `invalid` if the employee has the maximum number of rules */
async function refuseTooMany(call: Call, employeeId: string): Promise<void> {
  const { rules, maxOfEmployee, caller } = call;
  if ((await rules.count(caller, maxOfEmployee, employeeId)) >= maxOfEmployee) throw tooMany(call);
}

/**
 * Returns whether an employee has more rules than the maximum after one was written. Others may have written rules since the count before; then
 * each of them finds too many, and takes its own back. So the maximum holds without a lock, but all of them may be refused.
 */
async function hasTooMany({ rules, maxOfEmployee, caller }: Call, employeeId: string): Promise<boolean> {
  return (await rules.count(caller, maxOfEmployee + 1, employeeId)) > maxOfEmployee;
}

function tooMany({ maxOfEmployee }: Call): AppError {
  return AppError.invalid({ employee_id: [`The employee has ${String(maxOfEmployee)} manual rules. Delete one first.`] });
}

export interface RuleChange {
  readonly id: string;
  /** The complete rule; there are no partial updates. */
  readonly json: string;
}

/**
 * Replaces a manual rule, which may move it to another employee. If nothing changes, no event is published. Of two concurrent replacements,
 * the later one wins, provided that its caller may see the employee of the rule at that time.
 *
 * @throws AppError `not_found`, even if the body is invalid; `invalid`
 */
export async function updateRule(call: Call, change: RuleChange): Promise<Rule> {
  for (;;) {
    const rule = await updateFound(call, change);
    if (rule !== undefined) return rule;
  }
}

/** Tries to replace a rule. @returns undefined if the rule was moved to another employee, or deleted, since it was read */
async function updateFound(call: Call, { id, json }: RuleChange): Promise<Rule | undefined> {
  const finding = findRule(call, id);
  const rule: Rule = { id, ...(await judgeRule(call.records, json, finding)), source: 'manual' };
  const stored = await finding;
  if (isDeepStrictEqual(stored, rule)) return stored;
  const isMoved = rule.employeeId !== stored.employeeId;
  if (isMoved) await refuseTooMany(call, rule.employeeId);
  const event = call.ruleEvent('absence-rules.rule.updated', call.caller, rule);
  const replaced = await call.rules.replace(call.caller, { rule, ofEmployee: stored.employeeId }, event);
  if (replaced === undefined) return undefined;
  if (isMoved && (await hasTooMany(call, rule.employeeId))) {
    // Without a count: this employee had the rule a moment ago. If another call has replaced the rule since, that change stays.
    const back = { rule: stored, ofEmployee: rule.employeeId, unchangedSince: rule };
    await call.rules.replace(call.caller, back, call.ruleEvent('absence-rules.rule.updated', call.caller, stored));
    call.notifyOutbox();
    throw tooMany(call);
  }
  const { institutionId } = call.caller;
  call.notifyOutbox({ events: [event], ...(!replaced.eventsWaited && { alone: { docId: id, institutionId } }) });
  return rule;
}

/** Deletes a manual rule. Balances are calculated without it from now on. @throws AppError `not_found` */
export async function deleteRule(call: Call, id: string): Promise<void> {
  for (;;) {
    const rule = await getRule(call, id);
    // Does not delete a rule that was moved to an employee whom the caller may not see.
    if (await call.rules.remove(call.caller, rule, call.ruleEvent('absence-rules.rule.deleted', call.caller, rule))) break;
  }
  call.notifyOutbox();
}

export interface EmployeeDeletion {
  readonly employeeId: string;
  /** Undefined if the employee may never have been deleted. In this case, an employee who exists keeps all rules. */
  readonly deletedAt?: Date;
}

interface RemovalContext extends Pick<Ports, 'rules' | 'ruleEvent' | 'notifyOutbox'> {
  readonly records: Pick<CallerRecords, 'readStaff'>;
}

/**
 * Deletes the manual rules of a deleted employee. It can be repeated. If an employee with the same id was created again, rules written
 * after the deletion belong to it and are kept. If not, times are not compared, because the clock of the records service may be behind.
 */
export async function removeRulesOfEmployee(ports: RemovalContext, tenant: Tenant, deletion: EmployeeDeletion): Promise<void> {
  // Rules that changed since they were read are checked again, because they may belong to another or a re-created employee.
  while (!(await removeWritten(ports, tenant, deletion)));
}

/** Deletes the rules of one read. @returns whether none of them had changed since */
async function removeWritten(ports: RemovalContext, tenant: Tenant, { employeeId, deletedAt }: EmployeeDeletion): Promise<boolean> {
  // Read before the existence of the employee is checked, so that rules written later are not included.
  const written = await ports.rules.writtenFor(tenant, employeeId);
  const isBack = written.length > 0 && (await exists(ports.records, employeeId));
  const leftBehind = written.filter(({ writtenAt }) => !isBack || (deletedAt !== undefined && writtenAt <= deletedAt));
  if (leftBehind.length === 0) return true;
  let isAll = true;
  for (const { id, writtenAt } of leftBehind) {
    const event = ports.ruleEvent('absence-rules.rule.deleted', tenant, { id, employeeId });
    isAll = (await ports.rules.removeUnchanged(tenant, { id, employeeId, writtenAt }, event)) && isAll;
  }
  ports.notifyOutbox();
  return isAll;
}

async function exists(records: Pick<CallerRecords, 'readStaff'>, employeeId: string): Promise<boolean> {
  for await (const staff of records.readStaff([employeeId])) if (staff.length > 0) return true;
  return false;
}

async function findRule({ rules, caller }: Call, id: string): Promise<Rule> {
  const [rule] = await rules.find(caller, [id]);
  if (rule === undefined) throw noSuchRule();
  return rule;
}
