import { absenceRulesV1 } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type Context } from './context.js';
import { employeeDeletedConsumer } from './events/on-employee-deleted.js';
import { createRuleRpc } from './grpc/create-rule.js';
import { deleteRuleRpc } from './grpc/delete-rule.js';
import { getBalancesRpc } from './grpc/get-balances.js';
import { getRuleRpc } from './grpc/get-rule.js';
import { listRulesRpc } from './grpc/list-rules.js';
import { updateRuleRpc } from './grpc/update-rule.js';

interface Overrides {
  readonly clock?: Clock;
}

function implementationOf(context: Context): absenceRulesV1.AbsenceRulesServiceServer {
  return {
    listRules: listRulesRpc(context),
    getRule: getRuleRpc(context),
    createRule: createRuleRpc(context),
    updateRule: updateRuleRpc(context),
    deleteRule: deleteRuleRpc(context),
    getBalances: getBalancesRpc(context),
  };
}

export async function createAbsenceRulesService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [{ definition: absenceRulesV1.AbsenceRulesServiceService, implementation: { ...implementationOf(context) } }];
  return startService({
    config,
    logger,
    services,
    checks: context.checks,
    background: () => [context.bus.consume(employeeDeletedConsumer(context.ports))],
    close: () => context.close(),
  });
}
