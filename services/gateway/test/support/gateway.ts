import { testServers, type TestServers } from '@stechuhr/testing';
import { openTokenAdmin, type IssuedToken, type TokenAdmin } from '../../src/admin.js';
import { readConfig } from '../../src/config.js';
import { createGateway, type Gateway } from '../../src/service.js';
import { startBackends, type Backends } from './backends.js';
import { collectLogs, type LogLine } from './logs.js';

const NOBODY = '127.0.0.1:1';

export interface TestGateway {
  readonly port: number;
  readonly adminPort: number;
  readonly servers: TestServers;
  /** The environment of a gateway process on the same servers. */
  readonly environment: Readonly<Record<string, string>>;
  readonly backends: Backends;
  readonly admin: TokenAdmin;
  readonly logs: readonly LogLine[];
  /** Moves the clock of the gateway ahead of the machine's by this time. */
  advance(milliseconds: number): void;
  /** Issues a token for a new account or for the given one. */
  issue(request?: Partial<Parameters<TokenAdmin['issue']>[0]>): Promise<IssuedToken>;
  /** Starts another gateway on the same servers. */
  another(environment?: Readonly<Record<string, string>>): Promise<Gateway>;
  stop(): Promise<void>;
}

/** The gateway with real servers and with services whose responses the test sets. */
export async function startTestGateway(environment: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
  const servers = await testServers();
  const { logger, lines } = collectLogs();
  const backends = await startBackends(logger);
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const own = {
    PORT: '0',
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database('gateway'),
    NATS_URL: servers.natsUrl,
    REDIS_URL: servers.redisUrl,
    RECORDS_ADDRESS: backends.recordsAddress,
    EXPORTS_ADDRESS: backends.exportsAddress,
    TASKS_ADDRESS: backends.tasks.address,
    ABSENCE_RULES_ADDRESS: backends.absenceRules.address,
    REVIEWS_ADDRESS: backends.reviews.address,
    DAILY_REPORTS_ADDRESS: backends.dailyReports.address,
    // The end-to-end tests use the real service.
    WEBHOOKS_ADDRESS: NOBODY,
    ...environment,
  };
  const start = (more: Readonly<Record<string, string>> = {}) => createGateway(readConfig({ ...own, ...more }), logger, { clock });
  const gateway = await start();
  const admin = await openTokenAdmin({
    mongodbUrl: servers.mongodbUrl,
    database: servers.database('gateway'),
    redisUrl: servers.redisUrl,
    recordsAddress: backends.recordsAddress,
    logger,
  });
  return {
    port: gateway.httpPort,
    adminPort: gateway.adminPort,
    servers,
    environment: own,
    backends,
    admin,
    logs: lines,
    advance: (milliseconds) => void (ahead += milliseconds),
    issue: (request = {}) => admin.issue({ accountId: backends.addAccount().id, ...request }),
    another: start,
    async stop() {
      await admin.close();
      await gateway.stop();
      await backends.stop();
      await servers.stop();
    },
  };
}
