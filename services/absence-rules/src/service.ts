import { absenceRulesV1 } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { employeeDeletedConsumer } from './events/rule-events.js';
import { handlersOf } from './grpc/handlers.js';

interface Overrides {
  readonly clock?: Clock;
}

export async function createAbsenceRulesService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [{ definition: absenceRulesV1.AbsenceRulesServiceService, implementation: { ...handlersOf(context) } }];
  return startService({
    config,
    logger,
    services,
    inspections: context.inspections,
    checks: context.checks,
    background: () => [context.bus.consume(employeeDeletedConsumer(context))],
    close: () => context.close(),
  });
}
