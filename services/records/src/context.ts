import { connectBus, createStreams, startOutboxRelay, type Bus } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import { systemClock, type Clock } from '@stechuhr/kernel';
import { connectMongo, deletionMarkers, outboxOf, type MongoDb } from '@stechuhr/mongo';
import { accessCache, accountCacheKey, connectRedis, createLookupCache } from '@stechuhr/redis';
import type { Logger } from '@stechuhr/service';
import type { Config } from './config.js';
import { recordEvents } from './events/record-events.js';
import type { Browse } from './operations/browse-records.js';
import type { Directory, WriteContext, TimeRecords } from './operations/ports.js';
import { ensureIndexes, outboxCollections, outboxOfKind } from './store/collections.js';
import { createBrowse } from './store/browse/browse.js';
import { createDirectory } from './store/directory.js';
import { createMonthStore } from './store/month-store.js';
import { createRecordStore } from './store/record-store.js';
import { createTimeRecords } from './store/time-records.js';

export interface Context extends WriteContext {
  readonly directory: Directory;
  readonly browse: Browse;
  readonly timeRecords: TimeRecords;
  readonly bus: Bus;
  readonly checks: Readonly<Record<'mongodb' | 'nats', () => Promise<void>>>;
  close(): Promise<void>;
}

const SWEEP_MS = 5_000;

/** The database, with the indexes of this version. */
async function openDatabase(config: Config, logger: Logger): Promise<MongoDb> {
  const database = await connectMongo({ ...config.mongodb, logger, appName: 'records' });
  await ensureIndexes(database);
  return database;
}

/** Creates what this version needs in its servers, and nothing else. */
export async function prepare(config: Config, logger: Logger): Promise<void> {
  const database = await openDatabase(config, logger);
  await database.close();
  await createStreams({ servers: config.natsUrl, name: 'records', logger });
}

export async function createContext(config: Config, logger: Logger, clock: Clock = systemClock): Promise<Context> {
  const database = await openDatabase(config, logger);
  const bus = await connectBus({ servers: config.natsUrl, name: 'records', logger });
  await bus.ensureStreams();
  const redis = connectRedis({ url: config.redisUrl, logger });
  const access = createLookupCache({ redis, ...accessCache });
  const stores = outboxCollections.map((name) => outboxOf<CloudEvent>(database.connection.collection(name)));
  const relay = startOutboxRelay({ stores, bus, logger, sweepMs: SWEEP_MS });
  return {
    records: createRecordStore(database, clock),
    months: createMonthStore(database, clock),
    markers: deletionMarkers(database.connection.collection('deletion_markers'), clock),
    events: recordEvents(clock),
    notifyOutbox: (kind) => relay.notify(outboxOfKind(kind)),
    forgetAccount: (accountId) => access.invalidate(accountCacheKey(accountId)),
    directory: createDirectory(database),
    browse: createBrowse(database),
    timeRecords: createTimeRecords(database),
    bus,
    checks: {
      mongodb: () => database.ping(),
      nats: () => bus.ping(),
    },
    async close() {
      await relay.stop();
      redis.disconnect();
      await bus.close();
      await database.close();
    },
  };
}
