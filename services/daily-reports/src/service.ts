import { dailyReportsV1 } from '@stechuhr/contracts';
import { handedOverConsumers } from '@stechuhr/ingest';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type ContextOverrides } from './context.js';
import { institutionDeletedConsumers } from './events/daily-report-events.js';
import { handlersOf } from './grpc/handlers.js';
import { dailyReportIngest } from './operations/ingest/ingest.js';
import { startWeatherCapture } from './weather-capture.js';

/** The kinds of live objects with their durable consumers. */
const liveKinds = [
  ['daily_report_form', 'daily-reports-forms'],
  ['daily_report_entry', 'daily-reports-entries'],
  ['daily_report_status', 'daily-reports-statuses'],
] as const;

interface Overrides extends ContextOverrides {
  readonly ingestBackoffMs?: readonly number[];
}

export async function createDailyReportsService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides);
  const services = [{ definition: dailyReportsV1.DailyReportsServiceService, implementation: { ...handlersOf(context) } }];
  const ingest = dailyReportIngest(context.ingestNeeds());
  const live = { backoffMs: overrides.ingestBackoffMs };
  return startService({
    config,
    logger,
    services,
    inspections: context.inspections,
    checks: context.checks,
    background: () => [
      ...institutionDeletedConsumers(context.ingestNeeds(), context).map((each) => context.bus.consume(each)),
      ...liveKinds
        .flatMap(([kind, durable]) => handedOverConsumers(kind, ingest, { ...live, durable }))
        .map((each) => context.bus.consume(each)),
      ...(context.weather ? [startWeatherCapture(context.weather, logger)] : []),
    ],
    drainMs: config.drainMs,
    close: () => context.close(),
  });
}
