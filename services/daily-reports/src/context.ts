import { connectBus, createStreams, startOutboxRelay, type Bus } from '@stechuhr/bus';
import { browseV1, recordsV1, type CloudEvent, type commonV1 } from '@stechuhr/contracts';
import { systemClock, type Clock } from '@stechuhr/kernel';
import { connectMongo, deletionMarkers, outboxOf } from '@stechuhr/mongo';
import { connectObjectStore } from '@stechuhr/objectstore';
import { recordReferences } from '@stechuhr/records-client';
import { createReportRenderer } from '@stechuhr/report-pdf';
import { checkReachable, createGrpcClient, type Logger } from '@stechuhr/service';
import { openMeteo } from './clients/open-meteo.js';
import { createPhotos } from './clients/photos.js';
import { callerRecords, people, wholeInstitution } from './clients/records.js';
import type { Config } from './config.js';
import { dailyReportEvents } from './events/daily-report-events.js';
import { startMaintenance } from './maintenance.js';
import type { CaptureContext } from './operations/capture-weather.js';
import type { IngestNeeds } from './operations/ingest/needs.js';
import type { CallerRecords, Ports } from './operations/ports.js';
import type { PdfCall } from './operations/render-pdf.js';
import { settleLeftBehind } from './operations/settle-reports.js';
import { createStores, type Stores } from './store/stores.js';
import { createWeatherClaims } from './store/weather-claims.js';

export interface Context {
  readonly ports: Ports;
  recordsOf(caller: commonV1.Caller, signal: AbortSignal): CallerRecords;
  /** For lines and live objects; without a signal its calls end with the service. */
  ingestNeeds(signal?: AbortSignal): IngestNeeds;
  readonly pdf: Pick<PdfCall, 'renderer' | 'photoReader'>;
  /** Undefined where no weather service is configured. */
  readonly weather: Omit<CaptureContext, 'logger' | 'signal'> | undefined;
  readonly bus: Bus;
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

/** What tests replace. */
export interface ContextOverrides {
  readonly clock?: Clock;
  /** Around the real stores, so that a crash can be put between two steps. */
  readonly stores?: (stores: Stores) => Stores;
}

const SWEEP_MS = 5_000;

/** The database, with the indexes of this version. */
async function openDatabase(config: Config, logger: Logger) {
  const mongo = await connectMongo({ ...config.mongodb, logger, appName: 'daily-reports' });
  const storage = createStores(mongo.connection);
  await mongo.ensureIndexes();
  return { mongo, ...storage };
}

/** Creates what this version needs in its servers, and nothing else. */
export async function prepare(config: Config, logger: Logger): Promise<void> {
  const { mongo } = await openDatabase(config, logger);
  await mongo.close();
  await createStreams({ servers: config.natsUrl, name: 'daily-reports', logger });
}

export async function createContext(config: Config, logger: Logger, overrides: ContextOverrides = {}): Promise<Context> {
  const { clock = systemClock, stores: around = (stores) => stores } = overrides;
  const { mongo, stores, collections, markers, weatherClaims } = await openDatabase(config, logger);
  const bus = await connectBus({ servers: config.natsUrl, name: 'daily-reports', logger });
  await bus.ensureStreams();
  const relay = startOutboxRelay({ stores: collections.map((one) => outboxOf<CloudEvent>(one)), bus, logger, sweepMs: SWEEP_MS });
  const clients = {
    records: createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress),
    browse: createGrpcClient(browseV1.BrowseServiceClient, config.recordsAddress),
  };
  const store = connectObjectStore(config.s3);
  const deleted = deletionMarkers(markers, clock);
  const closing = new AbortController();
  const ports: Ports = {
    ...around(stores),
    photos: createPhotos(config, clock),
    events: dailyReportEvents({ bus, clock, logger }),
    clock,
    notifyOutbox: () => relay.notify(),
  };
  const maintenance = startMaintenance(async () => {
    await deleted.removeExpired();
    await settleLeftBehind(ports);
  }, logger);
  const recordsOf: Context['recordsOf'] = (caller, signal) => callerRecords(clients, caller, signal);
  return {
    ports,
    recordsOf,
    ingestNeeds: (signal = closing.signal) => ({
      ...ports,
      references: recordReferences(clients.records, signal),
      markers: deleted,
      peopleOf: (tenant) => people(clients.browse, tenant, signal),
    }),
    pdf: { renderer: createReportRenderer(), photoReader: { open: (key, signal) => store.getStream(key, signal) } },
    weather: config.weather && {
      ports,
      weather: openMeteo(config.weather),
      claims: createWeatherClaims(weatherClaims, clock),
      projectsOf: (tenant, signal) => recordsOf(wholeInstitution(tenant), signal).listProjects(),
    },
    bus,
    checks: { mongodb: () => mongo.ping(), nats: () => bus.ping(), records: () => checkReachable(clients.records) },
    async close() {
      closing.abort();
      await maintenance.stop();
      await relay.stop();
      clients.records.close();
      clients.browse.close();
      await bus.close();
      await mongo.close();
    },
  };
}
