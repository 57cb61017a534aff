import { LRUCache } from 'lru-cache';
import { connectBus, createStreams, startOutboxRelay, type Bus } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import { systemClock, type Clock, type Logger } from '@stechuhr/kernel';
import { connectMongo, outboxOf } from '@stechuhr/mongo';
import { accessCache, connectRedis, createLookupCache } from '@stechuhr/redis';
import { createLookups } from './adapters/lookups.js';
import { createRateLimiter, type RateLimiter } from './adapters/rate-limiter.js';
import { watchRedis } from './adapters/redis-watch.js';
import { accountsOf, checkReachable, createClients, type Clients } from './clients.js';
import type { Config } from './config.js';
import { tokenEvents } from './events/token-event.js';
import type { ServeContext } from './middleware/serve-route.js';
import type { TokenEvent } from './operations/ports.js';
import type { Health } from './routes/health.js';
import { tokenModel } from './store/token-model.js';
import { createTokenStore } from './store/token-store.js';

/** The adapters, made once. */
export interface Context extends ServeContext {
  readonly clients: Clients;
  readonly bus: Bus;
  readonly event: TokenEvent;
  /** Absent when it is off. */
  readonly runLimiter: RateLimiter | undefined;
  /** What every request needs. Redis is a cache, NATS may connect later, and other services may be unavailable one by one. */
  readonly checks: Health['checks'];
  close(): Promise<void>;
}

export interface Overrides {
  readonly clock?: Clock;
  /** The logger of requests; the process's logger by default. */
  readonly requestLog?: Logger;
}

const CHECK_MS = 1_500;
const GUESSED_TOKENS = 10_000;
/** Tokens are issued and revoked by other processes, which leave their events to us. */
const SWEEP_MS = 1_000;

/** The database, with the indexes of this version. */
async function openDatabase(config: Config, logger: Logger) {
  const mongo = await connectMongo({ ...config.mongodb, logger, appName: 'gateway' });
  const model = tokenModel(mongo.connection);
  await mongo.ensureIndexes();
  return { mongo, model };
}

/** Creates what this version needs in its servers, and nothing else. */
export async function prepare(config: Config, logger: Logger): Promise<void> {
  const { mongo } = await openDatabase(config, logger);
  await mongo.close();
  await createStreams({ servers: config.natsUrl, name: 'gateway', logger });
}

export async function createContext(config: Config, logger: Logger, { clock = systemClock }: Overrides = {}): Promise<Context> {
  const { mongo, model } = await openDatabase(config, logger);
  const bus = await connectBus({ servers: config.natsUrl, name: 'gateway', logger });
  await bus.ensureStreams();
  const relay = startOutboxRelay({ stores: [outboxOf<CloudEvent>(model.collection)], bus, logger, sweepMs: SWEEP_MS });
  const redis = connectRedis({ url: config.redisUrl, logger });
  const watch = watchRedis(redis);
  const clients = createClients(config.addresses);
  const limiter = (name: string, perMinute: number, burst: number) =>
    perMinute === 0 ? undefined : createRateLimiter({ redis, isWell: watch.isWell, logger, name, perMinute, burst });
  return {
    logger,
    clock,
    tokens: createTokenStore(model),
    accounts: accountsOf(clients.records),
    lookups: createLookups(createLookupCache({ redis, ...accessCache }), watch.isWell),
    guesses: new LRUCache<string, string>({ max: GUESSED_TOKENS }),
    requestLimiter: limiter('requests', config.limits.perMinute, config.limits.burst),
    runLimiter: limiter('exports', config.limits.exportsPerMinute, 0),
    clients,
    bus,
    event: tokenEvents(clock),
    publicUrl: config.publicUrl,
    checks: { mongodb: mongo.ping, records: () => checkReachable(clients.records, CHECK_MS) },
    async close() {
      await relay.stop();
      await bus.close();
      clients.close();
      watch.stop();
      redis.disconnect();
      await mongo.close();
    },
  };
}
