import { absenceRulesV1 } from '@stechuhr/contracts';
import { createLogger, startGrpcServer, unary } from '@stechuhr/service';
import { serve } from './start.js';

const RULES = 100;

/** Answers like the absence-rules service, but from memory, so that only the hop is measured. */
await serve(async ({ protoRoot }: { readonly protoRoot: string }) => {
  const rules = Array.from({ length: RULES }, (_, n): absenceRulesV1.Rule => {
    const ids = { id: id(n), employeeId: id(1000 + n) };
    const amount = { label: 'Jahresurlaub', missingType: 'vacation', amountHundredths: 3000, priority: 1 };
    return { ...ids, ...amount, availableFrom: 20_454, expiresAt: 20_908, source: absenceRulesV1.RuleSource.RULE_SOURCE_MANUAL };
  });
  const implementation = {
    getRule: unary(async (): Promise<absenceRulesV1.GetRuleResponse> => ({ rule: rules[0] })),
    listRules: unary(async (): Promise<absenceRulesV1.ListRulesResponse> => ({ count: RULES, rules })),
  };
  const services = [{ definition: absenceRulesV1.AbsenceRulesServiceService, implementation }];
  const server = await startGrpcServer({ bind: '127.0.0.1:0', services, protoRoot, logger: createLogger('bench', 'error') });
  server.setServing(true);
  return server.port;
});

function id(n: number): string {
  return `0000be00-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}
