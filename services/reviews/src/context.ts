import type { Bus } from '@stechuhr/bus';
import { recordsV1 } from '@stechuhr/contracts';
import { createCountedLimit, createFairShares, systemClock, type Clock, type FairShares, type Inspection } from '@stechuhr/kernel';
import { defineStores } from '@stechuhr/mongo';
import { recordReferences } from '@stechuhr/records-client';
import { checkReachable, connectAhead, createGrpcClient, hasLeft, type Logger } from '@stechuhr/service';
import { organizationRecords } from './clients/records.js';
import type { Config } from './config.js';
import { MAX_SUPPRESSIONS } from './domain/suppression.js';
import { reviewEvents } from './events/review-events.js';
import type { OrganizationRecords, Ports, SettingsNeeds, Tenant } from './operations/ports.js';
import { createRunSlots } from './operations/run-slots.js';
import { createSettingsStore, settingsModel } from './store/settings-store.js';
import { suppressionModel } from './store/suppression-model.js';
import { createSuppressionStore } from './store/suppression-store.js';

export interface Context {
  readonly ports: Ports;
  /** What complete reviews may occupy until their clients have received them, in records to which their findings refer. */
  readonly unreceived: FairShares;
  recordsOf(asking: Tenant & { readonly accountId: string }, signal: AbortSignal): OrganizationRecords;
  /** The dependencies for importing settings. Without a signal, calls end when the service stops. */
  settingsNeeds(signal?: AbortSignal): SettingsNeeds;
  readonly bus: Bus;
  readonly inspections: readonly Inspection[];
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

const storage = defineStores({
  name: 'reviews',
  models: ({ connection }) => ({ suppressions: suppressionModel(connection), settings: settingsModel(connection) }),
  outboxes: ({ suppressions }) => [suppressions.collection],
});

/** Creates the indexes and streams that this version needs, without starting the service. */
export const { prepare } = storage;

/**
 * The maximum number of records to which the findings of reviews refer that clients have not received. Packed findings take about 30 bytes for
 * each of them.
 */
const MAX_UNRECEIVED = 3_000_000;

/** Overrides for tests. */
export interface ContextOverrides {
  readonly clock?: Clock;
  readonly maxSuppressions?: number;
  readonly maxUnreceived?: number;
}

export async function createContext(config: Config, logger: Logger, overrides: ContextOverrides = {}): Promise<Context> {
  const { clock = systemClock, maxSuppressions = MAX_SUPPRESSIONS, maxUnreceived = MAX_UNRECEIVED } = overrides;
  const stores = await storage.connect(config, logger);
  const { bus, models } = stores;
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  connectAhead(records);
  const closing = new AbortController();
  const suppressions = createSuppressionStore(models.suppressions, clock);
  const ports: Ports = {
    suppressions,
    limit: createCountedLimit({
      max: maxSuppressions,
      count: (institutionId, upTo) => suppressions.count({ institutionId }, upTo),
    }),
    settings: createSettingsStore(models.settings),
    clock,
    events: reviewEvents({ bus, clock, logger, stores }),
    inRunSlot: createRunSlots(config.runs, hasLeft),
    notifyOutbox: (written) => stores.relay.notify(models.suppressions.collection.name, written === undefined ? [] : [written]),
  };
  return {
    ports,
    unreceived: createFairShares(maxUnreceived),
    recordsOf: (asking, signal) => organizationRecords(records, asking, signal),
    settingsNeeds: (signal = closing.signal) => ({ settings: ports.settings, references: recordReferences(records, signal) }),
    bus,
    inspections: stores.inspections,
    checks: { ...stores.checks, records: () => checkReachable(records) },
    async close() {
      closing.abort();
      records.close();
      await stores.close();
    },
  };
}
