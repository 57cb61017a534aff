import { webhooksV1 } from '@stechuhr/contracts';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type Overrides } from './context.js';
import { eventConsumer, institutionDeletedConsumers } from './events/webhook-events.js';
import { handlersOf } from './grpc/handlers.js';

export async function createWebhooksService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides);
  const { ports, bus, inspections, checks, close } = context;
  const services = [{ definition: webhooksV1.WebhooksServiceService, implementation: { ...handlersOf(context) } }];
  return startService({
    config,
    logger,
    services,
    inspections,
    checks,
    background: () => [eventConsumer(ports), ...institutionDeletedConsumers(ports)].map((each) => bus.consume(each)),
    close,
  });
}
