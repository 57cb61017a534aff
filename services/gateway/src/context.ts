import { LRUCache } from 'lru-cache';
import type { Bus } from '@stechuhr/bus';
import { createFairShares, systemClock, type Clock, type Logger } from '@stechuhr/kernel';
import { defineStores } from '@stechuhr/mongo';
import { accessCache, connectRedis, createLookupCache } from '@stechuhr/redis';
import { checkReachable } from '@stechuhr/service';
import { createOwnRateLimiter, createRateLimiter, type RefundingRateLimiter } from './clients/rate-limiter.js';
import { createLookups, watchRedis } from './clients/redis.js';
import { accountsOf, createClients, type Clients } from './clients/services.js';
import type { Config } from './config.js';
import { tokenEvents } from './events/tokens.js';
import { HELD_BYTES } from './http/held-bytes.js';
import { createExportSlots, type ExportSlots } from './middleware/export-slots.js';
import { createRequestSlots } from './middleware/request-slots.js';
import type { ServeContext } from './middleware/serve-route.js';
import type { AccountOfToken, TokenEvent } from './operations/ports.js';
import type { Health } from './routes/health.js';
import { tokenModel } from './store/token-model.js';
import { createTokenStore } from './store/token-store.js';

/** The adapters and clients of the process. */
export interface Context extends ServeContext {
  readonly clients: Clients;
  readonly bus: Bus;
  readonly event: TokenEvent;
  /** Undefined if the limit is disabled. */
  readonly runLimiter: RefundingRateLimiter | undefined;
  readonly exportSlots: ExportSlots;
  /**
   * The dependencies that every request needs. Redis is only a cache, NATS may connect later, and other services are needed only by their
   * own routes.
   */
  readonly checks: Health['checks'];
  close(): Promise<void>;
}

export interface Overrides {
  readonly clock?: Clock;
  /** The logger of requests; by default that of the process. */
  readonly requestLog?: Logger;
}

const GUESSED_TOKENS = 10_000;
/** A short interval, because other processes issue and revoke tokens and leave publishing their events to the gateway. */
const SWEEP_MS = 1_000;

const storage = defineStores({
  name: 'gateway',
  models: ({ connection }) => tokenModel(connection),
  outboxes: (tokens) => [tokens.collection],
  sweepMs: SWEEP_MS,
  staleMs: 0,
});

/** Creates the indexes and streams that this version needs, without starting the service. */
export const { prepare } = storage;

export async function createContext(config: Config, logger: Logger, { clock = systemClock }: Overrides = {}): Promise<Context> {
  const stores = await storage.connect(config, logger);
  const redis = connectRedis({ url: config.redisUrl, logger });
  const watch = watchRedis(redis, logger);
  const clients = createClients(config.addresses);
  const limiter = (name: string, perMinute: number, burst: number) =>
    perMinute === 0 ? undefined : createRateLimiter({ redis, isAvailable: watch.isAvailable, clock, logger, name, perMinute, burst });
  return {
    logger,
    clock,
    tokens: createTokenStore(stores.models),
    accounts: accountsOf(clients.records),
    lookups: createLookups(createLookupCache({ redis, ...accessCache, isAvailable: watch.isAvailable })),
    guesses: new LRUCache<string, AccountOfToken>({ max: GUESSED_TOKENS }),
    requestLimiters: {
      ofToken: limiter('requests', config.limits.perMinute, config.limits.burst),
      ofInstitution: config.limits.perInstitution === 0 ? undefined : createOwnRateLimiter(config.limits.perInstitution, clock),
    },
    runLimiter: limiter('exports', config.limits.exportsPerMinute, 0),
    heldBytes: createFairShares(HELD_BYTES),
    requestSlots: createRequestSlots(config.concurrentRequests),
    exportSlots: createExportSlots(config.concurrentExports),
    clients,
    bus: stores.bus,
    event: tokenEvents(clock),
    publicUrl: config.publicUrl,
    checks: { mongodb: stores.checks.mongodb, records: () => checkReachable(clients.records) },
    async close() {
      clients.close();
      redis.disconnect();
      await watch.stop();
      await stores.close();
    },
  };
}
