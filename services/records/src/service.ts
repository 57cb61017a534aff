import type { Clock } from '@stechuhr/kernel';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { ingestConsumer } from './events/on-ingest.js';
import { servedBy } from './grpc/handlers.js';
import { startMaintenance } from './maintenance.js';

interface Overrides {
  readonly clock?: Clock;
  /** Pauses before a live object is delivered again. */
  readonly ingestBackoffMs?: readonly number[];
}

export async function createRecordsService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides.clock);
  const maintenance = startMaintenance(context, logger);
  // Unfinished removals are completed before new requests are accepted. If MongoDB is unavailable, the next periodic run does it.
  await maintenance.now();
  return startService({
    config,
    logger,
    services: servedBy(context),
    inspections: context.inspections,
    checks: context.checks,
    background: () => [context.bus.consume(ingestConsumer(context, overrides.ingestBackoffMs)), maintenance],
    drainMs: config.drainMs,
    close: () => context.close(),
  });
}
