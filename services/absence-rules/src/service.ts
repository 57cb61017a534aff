import { absenceRulesV1 } from '@stechuhr/contracts';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type ContextOverrides } from './context.js';
import { employeeDeletedConsumers, ruleWrittenConsumer } from './events/rule-events.js';
import { handlersOf } from './grpc/handlers.js';

export async function createAbsenceRulesService(config: Config, logger: Logger, overrides: ContextOverrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides);
  const services = [{ definition: absenceRulesV1.AbsenceRulesServiceService, implementation: { ...handlersOf(context) } }];
  return startService({
    config,
    logger,
    services,
    inspections: context.inspections,
    checks: context.checks,
    background: () => [...employeeDeletedConsumers(context), ruleWrittenConsumer(context)].map((each) => context.bus.consume(each)),
    close: () => context.close(),
  });
}
