import { absenceRulesV1 } from '@stechuhr/contracts';
import { AppError, newId, type Logger } from '@stechuhr/kernel';
import { startGrpcServer, unary } from '@stechuhr/service';

type Rule = absenceRulesV1.Rule;

/** A real gRPC server that replaces the absence-rules service: it accepts any body and records its requests. */
export interface AbsenceRulesBackend {
  readonly address: string;
  readonly rules: Map<string, Rule>;
  /** The last request of `ListRules`. The response has all rules and a count of 250. */
  asked: absenceRulesV1.ListRulesRequest | undefined;
  /** The bodies that were received. */
  readonly bodies: string[];
  stop(): Promise<void>;
}

export async function startAbsenceRulesBackend(logger: Logger): Promise<AbsenceRulesBackend> {
  const rules = new Map<string, Rule>();
  const bodies: string[] = [];
  const find = (ruleId: string): Rule => {
    const rule = rules.get(ruleId);
    if (rule === undefined) throw new AppError('not_found', 'Not found.');
    return rule;
  };
  const implementation = {
    listRules: unary((request: absenceRulesV1.ListRulesRequest) => {
      backend.asked = request;
      return Promise.resolve({ count: 250, rules: [...rules.values()] });
    }),
    getRule: unary(async ({ ruleId }: absenceRulesV1.GetRuleRequest) => ({ rule: find(ruleId) })),
    createRule: unary(async ({ json }: absenceRulesV1.CreateRuleRequest) => {
      bodies.push(json);
      const rule = ruleOf(newId());
      rules.set(rule.id, rule);
      return { rule };
    }),
    updateRule: unary(async ({ ruleId, json }: absenceRulesV1.UpdateRuleRequest) => {
      bodies.push(json);
      return { rule: find(ruleId) };
    }),
    deleteRule: unary(async ({ ruleId }: absenceRulesV1.DeleteRuleRequest) => {
      rules.delete(find(ruleId).id);
      return {};
    }),
  };
  const server = await startGrpcServer({
    bind: '127.0.0.1:0',
    services: [{ definition: absenceRulesV1.AbsenceRulesServiceService, implementation }],
    logger,
  });
  const backend: AbsenceRulesBackend = {
    address: `127.0.0.1:${String(server.port)}`,
    rules,
    asked: undefined,
    bodies,
    stop: () => server.stop(),
  };
  return backend;
}

/** A rule of 13.05 days from 2026-08-01 on that never expires. */
function ruleOf(id: string): Rule {
  return {
    id,
    employeeId: 'e0000000-0000-4000-8000-000000000001',
    label: 'Urlaub 2026',
    missingType: 'vacation',
    amountHundredths: 1305,
    priority: 3,
    availableFrom: 20_666,
    expiresAt: 2_932_896,
    source: absenceRulesV1.RuleSource.RULE_SOURCE_MANUAL,
  };
}
