import { reviewsV1 } from '@stechuhr/contracts';
import { handedOverConsumers } from '@stechuhr/ingest';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type ContextOverrides } from './context.js';
import { employeeDeletedConsumers, institutionDeletedConsumers, suppressionWrittenConsumer } from './events/review-events.js';
import { handlersOf } from './grpc/handlers.js';
import { settingsIngest } from './operations/settings-ingest.js';

interface Overrides extends ContextOverrides {
  readonly ingestBackoffMs?: readonly number[];
}

export async function createReviewsService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides);
  const services = [{ definition: reviewsV1.ReviewsServiceService, implementation: { ...handlersOf(context) } }];
  const { bus } = context;
  const live = { durable: 'reviews-settings', backoffMs: overrides.ingestBackoffMs };
  return startService({
    config,
    logger,
    services,
    inspections: context.inspections,
    checks: context.checks,
    background: () =>
      [
        ...employeeDeletedConsumers(context),
        ...institutionDeletedConsumers(context),
        suppressionWrittenConsumer(context),
        ...handedOverConsumers('review_settings', settingsIngest(context.settingsNeeds()), live),
      ].map((each) => bus.consume(each)),
    close: () => context.close(),
  });
}
