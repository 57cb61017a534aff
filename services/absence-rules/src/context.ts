import { connectBus, createStreams, startOutboxRelay, type Bus } from '@stechuhr/bus';
import { recordsV1, type CloudEvent, type commonV1 } from '@stechuhr/contracts';
import { systemClock, type Clock } from '@stechuhr/kernel';
import { connectMongo, outboxOf } from '@stechuhr/mongo';
import { createGrpcClient, type Logger } from '@stechuhr/service';
import { callerRecords } from './clients/records.js';
import type { Config } from './config.js';
import { ruleEvents } from './events/rule-events.js';
import type { CallerRecords, Ports } from './operations/ports.js';
import { ruleModel } from './store/rule-model.js';
import { createRuleStore } from './store/rule-store.js';

export interface Context {
  readonly ports: Ports;
  recordsOf(caller: commonV1.Caller, signal: AbortSignal): CallerRecords;
  readonly bus: Bus;
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

const SWEEP_MS = 5_000;
const RECORDS_CHECK_MS = 1_500;

/** The database, with the indexes of this version. */
async function openDatabase(config: Config, logger: Logger) {
  const mongo = await connectMongo({ ...config.mongodb, logger, appName: 'absence-rules' });
  const model = ruleModel(mongo.connection);
  await mongo.ensureIndexes();
  return { mongo, model };
}

/** Creates what this version needs in its servers, and nothing else. */
export async function prepare(config: Config, logger: Logger): Promise<void> {
  const { mongo } = await openDatabase(config, logger);
  await mongo.close();
  await createStreams({ servers: config.natsUrl, name: 'absence-rules', logger });
}

export async function createContext(config: Config, logger: Logger, clock: Clock = systemClock): Promise<Context> {
  const { mongo, model } = await openDatabase(config, logger);
  const bus = await connectBus({ servers: config.natsUrl, name: 'absence-rules', logger });
  await bus.ensureStreams();
  const relay = startOutboxRelay({ stores: [outboxOf<CloudEvent>(model.collection)], bus, logger, sweepMs: SWEEP_MS });
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  return {
    ports: { rules: createRuleStore(model, clock), clock, ruleEvent: ruleEvents(clock), notifyOutbox: () => relay.notify() },
    recordsOf: (caller, signal) => callerRecords(records, caller, signal),
    bus,
    checks: {
      mongodb: () => mongo.ping(),
      nats: () => (bus.isConnected() ? Promise.resolve() : Promise.reject(new Error('not connected'))),
      records: () =>
        new Promise((resolve, reject) => {
          records.waitForReady(Date.now() + RECORDS_CHECK_MS, (error) => (error ? reject(error) : resolve()));
        }),
    },
    async close() {
      await relay.stop();
      records.close();
      await bus.close();
      await mongo.close();
    },
  };
}
