import { tasksV1 } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { accountDeletedConsumers, employeeDeletedConsumers } from './events/task-events.js';
import { ownerHandlers, workerHandlers } from './grpc/handlers.js';

interface Overrides {
  readonly clock?: Clock;
}

export async function createTasksService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [
    { definition: tasksV1.TasksServiceService, implementation: { ...ownerHandlers(context) } },
    { definition: tasksV1.ExportJobsServiceService, implementation: { ...workerHandlers(context.ports) } },
  ];
  return startService({
    config,
    logger,
    services,
    inspections: context.inspections,
    checks: context.checks,
    background: () => [
      ...[...accountDeletedConsumers(context.ports), ...employeeDeletedConsumers(context.ports)].map((each) => context.bus.consume(each)),
    ],
    close: () => context.close(),
  });
}
