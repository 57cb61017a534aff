import { connectBus, type Bus } from '@stechuhr/bus';
import { recordsV1 } from '@stechuhr/contracts';
import { systemClock, type Clock } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { checkReachable, createGrpcClient, type Logger } from '@stechuhr/service';
import type { Config } from './config.js';
import { createPassingEvents, type PassingEvents } from './events/passing-events.js';
import type { PhotoStore } from './operations/ports.js';
import { createPhotos } from './photos.js';

export interface Context {
  readonly bus: Bus;
  readonly photos: PhotoStore;
  readonly events: PassingEvents;
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

export async function createContext(config: Config, logger: Logger, clock: Clock = systemClock): Promise<Context> {
  const mongo = await connectMongo({ ...config.mongodb, logger, appName: 'daily-reports' });
  await mongo.ensureIndexes();
  const bus = await connectBus({ servers: config.natsUrl, name: 'daily-reports', logger });
  await bus.ensureStreams();
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  return {
    bus,
    photos: createPhotos(config, clock),
    events: createPassingEvents({ bus, clock, logger }),
    checks: { mongodb: () => mongo.ping(), nats: () => bus.ping(), records: () => checkReachable(records) },
    async close() {
      records.close();
      await bus.close();
      await mongo.close();
    },
  };
}
