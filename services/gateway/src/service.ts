import type { Logger } from '@stechuhr/kernel';
import { startAdminServer } from '@stechuhr/service';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { type Context, createContext, type Overrides } from './context.js';
import { accountDeletedConsumers } from './events/tokens.js';
import { startHttpServer } from './http-server.js';
import { absenceRuleRoutes } from './routes/absence-rules.js';
import { dailyReportRoutes } from './routes/daily-reports.js';
import { exportRoutes } from './routes/exports.js';
import { openApiRoutes, rootRoute } from './routes/about.js';
import { recordRoutes } from './routes/records.js';
import { referencePageRoutes } from './routes/reference-pages.js';
import { healthRoutes } from './routes/health.js';
import { reviewRoutes } from './routes/reviews.js';
import type { Route } from './routes/route.js';
import { schemaRoutes } from './routes/schemas.js';
import { suppressionRoutes } from './routes/suppressions.js';
import { taskRoutes } from './routes/tasks.js';
import { tokenRoutes } from './routes/tokens.js';
import { webhookRoutes } from './routes/webhooks.js';

export interface Gateway {
  readonly httpPort: number;
  readonly adminPort: number;
  /** Stops accepting connections and lets running responses finish. */
  drain(): Promise<void>;
  /** Drains and then stops. */
  stop(): Promise<void>;
}

/** How long a running response may have no traffic after the signal to stop, in milliseconds. */
const SILENT_MS = 15_000;

/** Returns all routes of the gateway. */
export function routesOf(context: Context, isServing: () => boolean): Route[] {
  const { clients, runLimiter, exportSlots } = context;
  const groups: Route[] = [
    ...exportRoutes({ exports: clients.exports, runs: runLimiter, slots: exportSlots }),
    ...taskRoutes(clients),
    ...absenceRuleRoutes(clients),
    ...reviewRoutes(clients),
    ...suppressionRoutes(clients),
    ...dailyReportRoutes({ dailyReports: clients.dailyReports, runs: runLimiter }),
    ...recordRoutes(clients),
    ...tokenRoutes(context),
    ...webhookRoutes(clients),
  ];
  const described = [rootRoute(groups), ...groups, ...referencePageRoutes(context.clock), ...schemaRoutes(context.publicUrl)];
  return [...described, ...openApiRoutes(described, context.publicUrl), ...healthRoutes({ isServing, checks: context.checks })];
}

export async function createGateway(config: Config, logger: Logger, overrides: Overrides = {}): Promise<Gateway> {
  const context = await createContext(config, logger, overrides);
  let serving = true;
  const requestLog = overrides.requestLog ?? logger;
  const app = createApp({ context, routes: routesOf(context, () => serving), trustProxy: config.trustProxy, requestLog });
  const http = await startHttpServer({ ...config.http, listener: app, logger: requestLog });
  const admin = await startAdminServer({ host: config.adminHost, port: config.adminPort, checks: context.checks, logger });
  const deletions = accountDeletedConsumers(context).map((consumer) => context.bus.consume(consumer));
  let drained: Promise<void> | undefined;
  const drain = (): Promise<void> => {
    serving = false;
    admin.setReady(false);
    return (drained ??= http.stop({ totalMs: config.drainMs, silentMs: SILENT_MS }));
  };
  admin.setReady(true);
  logger.info({ http: `${config.http.host}:${http.port}`, grpc: null, admin: `127.0.0.1:${admin.port}` }, 'ready');
  return {
    httpPort: http.port,
    adminPort: admin.port,
    drain,
    async stop() {
      await drain();
      await Promise.all(deletions.map((each) => each.stop()));
      await context.close();
      await admin.stop();
    },
  };
}
