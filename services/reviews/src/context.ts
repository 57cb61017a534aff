import { connectBus, createStreams, startOutboxRelay, type Bus } from '@stechuhr/bus';
import { recordsV1, type CloudEvent } from '@stechuhr/contracts';
import { systemClock, type Clock } from '@stechuhr/kernel';
import { connectMongo, outboxOf } from '@stechuhr/mongo';
import { recordReferences } from '@stechuhr/records-client';
import { checkReachable, createGrpcClient, type Logger } from '@stechuhr/service';
import { organizationRecords } from './clients/records.js';
import type { Config } from './config.js';
import { reviewEvents } from './events/review-events.js';
import type { OrganizationRecords, Ports, Tenant } from './operations/ports.js';
import { createRunSlots } from './operations/run-slots.js';
import type { SettingsNeeds } from './operations/settings-ingest.js';
import { createSettingsStore, settingsModel } from './store/settings-store.js';
import { suppressionModel } from './store/suppression-model.js';
import { createSuppressionStore } from './store/suppression-store.js';

export interface Context {
  readonly ports: Ports;
  recordsOf(asking: Tenant & { readonly accountId: string }, signal: AbortSignal): OrganizationRecords;
  /** For what comes from the bus, not from an account; its calls end with the service. */
  recordsOfInstitution(institutionId: string): OrganizationRecords;
  /** For lines and live objects; without a signal its calls end with the service. */
  settingsNeeds(signal?: AbortSignal): SettingsNeeds;
  readonly bus: Bus;
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

const SWEEP_MS = 5_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The database, with the indexes of this version. */
async function openDatabase(config: Config, logger: Logger) {
  const mongo = await connectMongo({ ...config.mongodb, logger, appName: 'reviews' });
  const suppressions = suppressionModel(mongo.connection);
  const settings = settingsModel(mongo.connection);
  await mongo.ensureIndexes();
  return { mongo, suppressions, settings };
}

/** Creates what this version needs in its servers, and nothing else. */
export async function prepare(config: Config, logger: Logger): Promise<void> {
  const { mongo } = await openDatabase(config, logger);
  await mongo.close();
  await createStreams({ servers: config.natsUrl, name: 'reviews', logger });
}

export async function createContext(config: Config, logger: Logger, clock: Clock = systemClock): Promise<Context> {
  const { mongo, suppressions, settings } = await openDatabase(config, logger);
  const bus = await connectBus({ servers: config.natsUrl, name: 'reviews', logger });
  await bus.ensureStreams();
  const relay = startOutboxRelay({ stores: [outboxOf<CloudEvent>(suppressions.collection)], bus, logger, sweepMs: SWEEP_MS });
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  const closing = new AbortController();
  const ports: Ports = {
    suppressions: createSuppressionStore(suppressions, clock),
    settings: createSettingsStore(settings),
    clock,
    events: reviewEvents({ bus, clock, logger }),
    inRunSlot: createRunSlots(config.concurrentRuns),
    notifyOutbox: () => relay.notify(),
  };
  return {
    ports,
    recordsOf: (asking, signal) => organizationRecords(records, asking, signal),
    recordsOfInstitution: (institutionId) => organizationRecords(records, { institutionId, accountId: NOBODY }, closing.signal),
    settingsNeeds: (signal = closing.signal) => ({ settings: ports.settings, references: recordReferences(records, signal) }),
    bus,
    checks: { mongodb: () => mongo.ping(), nats: () => bus.ping(), records: () => checkReachable(records) },
    async close() {
      closing.abort();
      await relay.stop();
      records.close();
      await bus.close();
      await mongo.close();
    },
  };
}
