import { connectBus, startOutboxRelay, type Bus } from '@stechuhr/bus';
import { browseV1, recordsV1, type CloudEvent, type commonV1 } from '@stechuhr/contracts';
import { systemClock, type Clock } from '@stechuhr/kernel';
import { connectMongo, outboxOf } from '@stechuhr/mongo';
import { checkReachable, createGrpcClient, type Logger } from '@stechuhr/service';
import type { Config } from './config.js';
import { dailyReportEvents } from './events/daily-report-events.js';
import type { CallerRecords, Ports } from './operations/ports.js';
import { createPhotos } from './photos.js';
import { callerRecords } from './records/caller-records.js';
import { createStores, type Stores } from './store/stores.js';

export interface Context {
  readonly ports: Ports;
  recordsOf(caller: commonV1.Caller, signal: AbortSignal): CallerRecords;
  readonly bus: Bus;
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

/** What tests replace. */
export interface Overrides {
  readonly clock?: Clock;
  /** Around the real stores, so that a crash can be put between two steps. */
  readonly stores?: (stores: Stores) => Stores;
}

const SWEEP_MS = 5_000;

export async function createContext(config: Config, logger: Logger, overrides: Overrides = {}): Promise<Context> {
  const { clock = systemClock, stores: around = (stores) => stores } = overrides;
  const mongo = await connectMongo({ ...config.mongodb, logger, appName: 'daily-reports' });
  const { stores, collections } = createStores(mongo.connection);
  await mongo.ensureIndexes();
  const bus = await connectBus({ servers: config.natsUrl, name: 'daily-reports', logger });
  await bus.ensureStreams();
  const relay = startOutboxRelay({ stores: collections.map((one) => outboxOf<CloudEvent>(one)), bus, logger, sweepMs: SWEEP_MS });
  const clients = {
    records: createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress),
    browse: createGrpcClient(browseV1.BrowseServiceClient, config.recordsAddress),
  };
  return {
    ports: {
      ...around(stores),
      photos: createPhotos(config, clock),
      events: dailyReportEvents({ bus, clock, logger }),
      clock,
      notifyOutbox: () => relay.notify(),
    },
    recordsOf: (caller, signal) => callerRecords(clients, caller, signal),
    bus,
    checks: { mongodb: () => mongo.ping(), nats: () => bus.ping(), records: () => checkReachable(clients.records) },
    async close() {
      await relay.stop();
      clients.records.close();
      clients.browse.close();
      await bus.close();
      await mongo.close();
    },
  };
}
