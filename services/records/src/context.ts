import type { Bus } from '@stechuhr/bus';
import { ANSWERS, createAnswerTurns, systemClock, type AnswerTurns, type Clock, type Inspection } from '@stechuhr/kernel';
import { defineStores, deletionMarkers } from '@stechuhr/mongo';
import { accessCache, accountCacheKey, connectRedis, createLookupCache } from '@stechuhr/redis';
import type { Logger } from '@stechuhr/service';
import type { Config } from './config.js';
import { recordEvents } from './events/record-events.js';
import type { Browse } from './operations/browse-records.js';
import { Readers } from './operations/month-slices.js';
import type { Directory, IngestClock, WriteContext, TimeRecords } from './operations/ports.js';
import { openCollections, outboxOfKind } from './store/collections.js';
import { createBrowse } from './store/browse/browse.js';
import { createDirectory } from './store/directory.js';
import { createIngestClock, unseenLiveObjects } from './store/ingest-clock.js';
import { createMonthStore } from './store/month-store.js';
import { createRecordStore } from './store/record-store.js';
import { createTimeRecords } from './store/time-records.js';

export interface Context extends WriteContext {
  readonly directory: Directory;
  readonly browse: Browse;
  /** Limits how many pages are created at the same time, fairly between institutions. */
  readonly inTurn: AnswerTurns;
  readonly timeRecords: TimeRecords;
  readonly readers: Readers;
  readonly bus: Bus;
  readonly ingestClock: IngestClock;
  readonly inspections: readonly Inspection[];
  readonly checks: Readonly<Record<'mongodb' | 'nats', () => Promise<void>>>;
  close(): Promise<void>;
}

const storage = defineStores({
  name: 'records',
  models: openCollections,
  outboxes: (collections) => collections,
});

/** Creates the collections, indexes and streams that this version needs, without starting the service. */
export const { prepare } = storage;

export async function createContext(config: Config, logger: Logger, clock: Clock = systemClock): Promise<Context> {
  const stores = await storage.connect(config, logger);
  const { database, bus, relay } = stores;
  const redis = connectRedis({ url: config.redisUrl, logger });
  const access = createLookupCache({ redis, ...accessCache });
  return {
    records: createRecordStore(database, clock),
    months: createMonthStore(database, clock),
    markers: deletionMarkers(database.connection.collection('deletion_markers'), clock),
    events: recordEvents(clock),
    clock,
    notifyOutbox: (kind, written) => relay.notify(outboxOfKind(kind), written),
    forgetAccount: (accountId) => access.invalidate(accountCacheKey(accountId)),
    directory: createDirectory(database),
    browse: createBrowse(database),
    inTurn: createAnswerTurns(ANSWERS),
    timeRecords: createTimeRecords(database),
    readers: new Readers(),
    bus,
    inspections: [...stores.inspections, unseenLiveObjects(database.connection.collection('ingest_clock'))],
    ingestClock: createIngestClock(database.connection.collection('ingest_clock'), logger),
    checks: stores.checks,
    async close() {
      redis.disconnect();
      await stores.close();
    },
  };
}
