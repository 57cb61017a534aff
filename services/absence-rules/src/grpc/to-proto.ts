import { absenceRulesV1 } from '@stechuhr/contracts';
import type { RuleBalance, TypeBalance } from '../domain/balance/balance.js';
import type { Rule, RuleSource } from '../domain/rule.js';

const { RuleSource: Source } = absenceRulesV1;

const sources: Readonly<Record<RuleSource, absenceRulesV1.RuleSource>> = {
  manual: Source.RULE_SOURCE_MANUAL,
  setting: Source.RULE_SOURCE_SETTING,
};

export function ruleToProto({ amount, source, ...rule }: Rule): absenceRulesV1.Rule {
  return { ...rule, amountHundredths: amount, source: sources[source] };
}

/** Converts a balance. Details are included only on request, because there are many. */
export function balanceToProto({ missingType, balance }: TypeBalance, withDetails: boolean): absenceRulesV1.Balance {
  const { granted, taken, expired, remaining, expiring, rules, charges, uncovered } = balance;
  return {
    missingType,
    grantedHundredths: granted,
    takenHundredths: taken,
    expiredHundredths: expired,
    remainingHundredths: remaining,
    expiringHundredths: expiring,
    uncoveredHundredths: uncovered.reduce((sum, { amount }) => sum + amount, 0),
    rules: withDetails ? rules.map(ruleBalanceToProto) : [],
    charges: withDetails ? charges.map(({ day, ruleId, amount }) => ({ day, ruleId, hundredths: amount })) : [],
    uncovered: withDetails ? uncovered.map(({ day, amount }) => ({ day, hundredths: amount })) : [],
  };
}

function ruleBalanceToProto({ rule, granted, taken, expired, remaining }: RuleBalance): absenceRulesV1.RuleBalance {
  return {
    ruleId: rule.id,
    availableFrom: rule.availableFrom,
    expiresAt: rule.expiresAt,
    grantedHundredths: granted,
    takenHundredths: taken,
    expiredHundredths: expired,
    remainingHundredths: remaining,
  };
}
