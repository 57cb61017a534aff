import { isDeepStrictEqual } from 'node:util';
import { AppError, newId } from '@stechuhr/kernel';
import type { Rule } from '../domain/rule.js';
import { judgeRule } from './judge-rule.js';
import type { Call, CallerRecords, Ports, Tenant } from './ports.js';
import { noSuchRule, visibleAmong } from './visible.js';

/**
 * A manual rule of an employee whom the caller may see. Setting-generated rules are not addressable (spec, Absence rules).
 *
 * @throws AppError `not_found`
 */
export async function getRule(call: Call, id: string): Promise<Rule> {
  const rule = await findRule(call, id);
  const visible = await visibleAmong(call.records, [rule.employeeId]);
  if (!visible.has(rule.employeeId)) throw noSuchRule();
  return rule;
}

/** Stores a manual rule. @throws AppError `invalid` */
export async function createRule(call: Call, json: string): Promise<Rule> {
  const rule: Rule = { id: newId(), ...(await judgeRule(call.records, json)), source: 'manual' };
  const { ofInstitution } = call.maxRules;
  const counting = call.rules.count(call.caller, ofInstitution);
  const [, count] = await Promise.all([refuseTooMany(call, rule.employeeId), counting]);
  if (count >= ofInstitution)
    throw AppError.invalid({ non_field_errors: [`The institution has ${String(ofInstitution)} manual rules. Delete one first.`] });
  const event = call.ruleEvent('absence-rules.rule.created', call.caller, rule);
  await call.rules.insert(call.caller, rule, event);
  call.notifyOutbox({ events: [event], alone: { docId: rule.id, institutionId: call.caller.institutionId } });
  return rule;
}

/** @throws AppError `invalid` where the employee has as many as it may */
async function refuseTooMany({ rules, maxRules, caller }: Call, employeeId: string): Promise<void> {
  const { ofEmployee } = maxRules;
  if ((await rules.count(caller, ofEmployee, employeeId)) < ofEmployee) return;
  throw AppError.invalid({ employee_id: [`The employee has ${String(ofEmployee)} manual rules. Delete one first.`] });
}

export interface RuleChange {
  readonly id: string;
  /** The whole rule: there are no partial updates. */
  readonly json: string;
}

/**
 * Replaces a manual rule; it may be moved to another employee. Without a change nothing is published. Of two that replace it at the same time,
 * the later one counts, as long as its caller may see whose rule it is by then.
 *
 * @throws AppError `not_found`, whatever the body says; `invalid`
 */
export async function updateRule(call: Call, change: RuleChange): Promise<Rule> {
  for (;;) {
    const rule = await updateFound(call, change);
    if (rule !== undefined) return rule;
  }
}

/** @returns undefined where the rule was moved to another employee, or deleted, since it was found */
async function updateFound(call: Call, { id, json }: RuleChange): Promise<Rule | undefined> {
  const finding = findRule(call, id);
  const rule: Rule = { id, ...(await judgeRule(call.records, json, finding)), source: 'manual' };
  const stored = await finding;
  if (isDeepStrictEqual(stored, rule)) return stored;
  if (rule.employeeId !== stored.employeeId) await refuseTooMany(call, rule.employeeId);
  const event = call.ruleEvent('absence-rules.rule.updated', call.caller, rule);
  const replaced = await call.rules.replace(call.caller, { rule, ofEmployee: stored.employeeId }, event);
  if (replaced === undefined) return undefined;
  const { institutionId } = call.caller;
  call.notifyOutbox({ events: [event], ...(!replaced.eventsWaited && { alone: { docId: id, institutionId } }) });
  return rule;
}

/** Deletes a manual rule; balances are without it from now on. @throws AppError `not_found` */
export async function deleteRule(call: Call, id: string): Promise<void> {
  for (;;) {
    const rule = await getRule(call, id);
    // Not one that was moved meanwhile to somebody whom the caller may not see.
    if (await call.rules.remove(call.caller, rule, call.ruleEvent('absence-rules.rule.deleted', call.caller, rule))) break;
  }
  call.notifyOutbox();
}

export interface EmployeeDeletion {
  readonly employeeId: string;
  /** Left out where the employee may never have been deleted: one who is there keeps all rules then. */
  readonly deletedAt?: Date;
}

interface RemovalContext extends Pick<Ports, 'rules' | 'ruleEvent' | 'notifyOutbox'> {
  readonly records: Pick<CallerRecords, 'readStaff'>;
}

/**
 * Deletes the manual rules of a deleted employee. Running it again changes nothing more: where an employee came back under the same id, rules
 * written after the deletion are its own; otherwise times say nothing, as the clock of the records service may be behind.
 */
export async function removeRulesOfEmployee(ports: RemovalContext, tenant: Tenant, deletion: EmployeeDeletion): Promise<void> {
  // What was written again since it was read may be of somebody else, or of an employee who came back.
  while (!(await removeWritten(ports, tenant, deletion)));
}

/** @returns whether every rule was still as it had been read */
async function removeWritten(ports: RemovalContext, tenant: Tenant, { employeeId, deletedAt }: EmployeeDeletion): Promise<boolean> {
  // Read before the employee is looked for: what is written later is not among them.
  const written = await ports.rules.writtenFor(tenant, employeeId);
  const isBack = written.length > 0 && (await isThere(ports.records, employeeId));
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

async function isThere(records: Pick<CallerRecords, 'readStaff'>, employeeId: string): Promise<boolean> {
  for await (const staff of records.readStaff([employeeId])) if (staff.length > 0) return true;
  return false;
}

async function findRule({ rules, caller }: Call, id: string): Promise<Rule> {
  const [rule] = await rules.find(caller, [id]);
  if (rule === undefined) throw noSuchRule();
  return rule;
}
