import { uuidV5 } from '@stechuhr/kernel';
import type { EpochDay } from '@stechuhr/worktime';
import type { Entitlement } from './entitlement.js';
import type { Grant } from './grant.js';

export type RuleSource = 'manual' | 'setting';

/** The maximum numbers of manual rules of an institution and of one employee. Lists and balances process all of them. */
export const MAX_RULES = { ofInstitution: 100_000, ofEmployee: 500 } as const;

/** A grant of absence days to one employee. */
export interface Rule {
  readonly id: string;
  readonly employeeId: string;
  readonly label: string;
  readonly missingType: string;
  /** Days, in hundredths. */
  readonly amount: number;
  /** Rules with lower values are used up first. */
  readonly priority: number;
  readonly availableFrom: EpochDay;
  /** Last day on which it can be used. */
  readonly expiresAt: EpochDay;
  readonly source: RuleSource;
}

/** An entitlement and its employee. */
export interface SettingOwner {
  readonly institutionId: string;
  readonly employeeId: string;
  readonly entitlement: Entitlement;
}

/** Returns the rule for a grant. Its id is deterministic. */
export function settingRule({ institutionId, employeeId, entitlement }: SettingOwner, grant: Grant): Rule {
  const { id, label, missingType, priority } = entitlement;
  return {
    id: uuidV5(institutionId, `${employeeId}/${id}/${String(grant.year)}`),
    employeeId,
    label: `${label} ${String(grant.year)}`,
    missingType,
    amount: grant.amount,
    priority,
    availableFrom: grant.availableFrom,
    expiresAt: grant.expiresAt,
    source: 'setting',
  };
}

/** The fields by which lists sort rules. */
export type OrderedRule = Pick<Rule, 'availableFrom' | 'priority' | 'employeeId' | 'id'>;

/** Compares rules in the order of lists. The order is total, because ids are unique. */
export function compareRules(a: OrderedRule, b: OrderedRule): number {
  return a.availableFrom - b.availableFrom || a.priority - b.priority || byText(a.employeeId, b.employeeId) || byText(a.id, b.id);
}

/** Compares ids. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
