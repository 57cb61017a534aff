import type { Bus, SliceClaims } from '@stechuhr/bus';
import { browseV1, recordsV1, tasksV1, type commonV1 } from '@stechuhr/contracts';
import { ANSWERS, createAnswerTurns, systemClock, type AnswerTurns, type Clock, type FairShares, type Inspection } from '@stechuhr/kernel';
import { defineStores, deletionMarkers, repeatedRemovals, type DeletionMarkers, type RepeatedRemovals } from '@stechuhr/mongo';
import { connectObjectStore, keptKeyOf, uploadsOf, type ObjectStore } from '@stechuhr/objectstore';
import { recordReferences } from '@stechuhr/records-client';
import { createReportRenderer } from '@stechuhr/report-pdf';
import { checkReachable, connectAhead, createGrpcClient, type Logger } from '@stechuhr/service';
import { openMeteo } from './clients/open-meteo.js';
import { createPhotos } from './clients/photos.js';
import { callerRecords, people, wholeInstitution } from './clients/records.js';
import { bundleTasks } from './clients/tasks.js';
import type { Config } from './config.js';
import { dailyReportEvents } from './events/daily-report-events.js';
import { startMaintenance, startUploadSweep } from './maintenance.js';
import type { CaptureContext } from './operations/capture-weather.js';
import { limitedUploads } from './operations/issue-upload-token.js';
import { reportInspections } from './operations/inspections.js';
import type { BundleTasks, CallerRecords, IngestNeeds, PhotoBin, Ports } from './operations/ports.js';
import { bundleMemory } from './operations/render-bundle.js';
import { LARGE_REPORTS, type PdfCall } from './operations/render-pdf.js';
import { createStores, type Stores } from './store/stores.js';
import { createUploadStore } from './store/upload-store.js';
import { createWeatherAgenda } from './store/weather-agenda.js';
import { createWeatherClaims } from './store/weather-claims.js';

export interface Context {
  readonly ports: Ports;
  /** Limits concurrent pages and PDFs, fairly between institutions. PDFs have a separate limit because they take longer than pages. */
  readonly inTurn: Readonly<Record<'pages' | 'pdfs', AnswerTurns>>;
  recordsOf(caller: commonV1.Caller, signal: AbortSignal): CallerRecords;
  tasksOf(caller: commonV1.Caller, signal: AbortSignal): BundleTasks<tasksV1.ExportTask>;
  /** Returns the dependencies of imports and live objects. Without a signal, calls end when the service stops. */
  ingestNeeds(signal?: AbortSignal): IngestNeeds;
  readonly bin: PhotoBin;
  readonly removals: RepeatedRemovals;
  /** Distributes periodic work between the replicas. */
  readonly claims: SliceClaims;
  readonly pdf: Pick<PdfCall, 'renderer' | 'photoReader' | 'largeInTurn'>;
  /** The memory for bundles that are being written, in bytes, shared by institutions. */
  readonly bundleMemory: FairShares;
  /** Undefined where no weather service is configured. */
  readonly weather: Omit<CaptureContext, 'logger' | 'signal'> | undefined;
  readonly bus: Bus;
  readonly inspections: readonly Inspection[];
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

/** Overrides for tests. */
export interface ContextOverrides {
  readonly clock?: Clock;
  /** Wraps the real stores, so that tests can simulate a crash between two steps. */
  readonly stores?: (stores: Stores) => Stores;
  readonly uploadSweepMs?: number;
  readonly maintenanceMs?: number;
}

const MAINTENANCE_MS = 60_000;
/** How long the PDFs of an institution may wait before further ones are refused: half as long as the gateway waits for one. */
const PDF_PATIENCE_MS = 60_000;

const storage = defineStores({
  name: 'daily-reports',
  models: ({ connection }) => createStores(connection),
  outboxes: ({ collections }) => collections,
});

/** Creates the indexes and streams that this version needs, without starting the service. */
export const { prepare } = storage;

export async function createContext(config: Config, logger: Logger, overrides: ContextOverrides = {}): Promise<Context> {
  const {
    clock = systemClock,
    stores: around = (stores) => stores,
    uploadSweepMs = MAINTENANCE_MS,
    maintenanceMs = MAINTENANCE_MS,
  } = overrides;
  const connected = await storage.connect(config, logger);
  const { stores, markers, forms, weatherClaims, uploads } = connected.models;
  const clients = openClients(config);
  const store = connectObjectStore(config.s3);
  const deleted = deletionMarkers(markers, clock);
  const removals = repeatedRemovals(connected.models.removals, clock);
  const bin = photoBin(store);
  const closing = new AbortController();
  const ports: Ports = {
    ...around(stores),
    photos: createPhotos(config, { store, clock }),
    ...limitedUploads(createUploadStore(uploads, clock)),
    events: dailyReportEvents({ bus: connected.bus, clock, logger, stores: connected }),
    clock,
    weatherAgenda: createWeatherAgenda(forms, clock),
    notifyOutbox: () => connected.relay.notify(),
  };
  const ingestNeeds = (signal = closing.signal) => needsOf(ports, clients, { markers: deleted, signal });
  const { claims } = connected;
  const maintenance = startMaintenance({ markers: deleted, removals, claims, bin, needs: ingestNeeds }, logger, maintenanceMs);
  const uploadSweep = startUploadSweep(ports, logger, uploadSweepMs);
  const recordsOf: Context['recordsOf'] = (caller, signal) => callerRecords(clients, caller, signal);
  return {
    ports,
    inTurn: { pages: createAnswerTurns(ANSWERS), pdfs: createAnswerTurns(ANSWERS, { patienceMs: PDF_PATIENCE_MS }) },
    recordsOf,
    tasksOf: (caller, signal) => bundleTasks(clients.tasks, caller, signal),
    ingestNeeds,
    bin,
    removals,
    claims,
    pdf: printing(store),
    bundleMemory: bundleMemory(),
    weather: config.weather && {
      ports,
      weather: openMeteo(config.weather),
      agenda: ports.weatherAgenda,
      claims: createWeatherClaims(weatherClaims, clock),
      projectsOf: (tenant, signal) => recordsOf(wholeInstitution(tenant), signal).listProjects(),
    },
    bus: connected.bus,
    inspections: [...connected.inspections, ...reportInspections(ports)],
    checks: { ...connected.checks, records: () => checkReachable(clients.records) },
    async close() {
      closing.abort();
      await Promise.all([maintenance.stop(), uploadSweep.stop()]);
      for (const client of Object.values(clients)) client.close();
      await connected.close();
    },
  };
}

function printing(store: ObjectStore): Context['pdf'] {
  return {
    renderer: createReportRenderer(),
    photoReader: { open: (key, signal) => store.getStream(key, signal) },
    // Background bundles may wait for as long as it takes.
    largeInTurn: createAnswerTurns(LARGE_REPORTS, { patienceMs: Number.POSITIVE_INFINITY }),
  };
}

function photoBin(store: ObjectStore): PhotoBin {
  return {
    async removeAll({ institutionId }, isGone) {
      const prefixes = [uploadsOf(institutionId), keptKeyOf(uploadsOf(institutionId))];
      return (await Promise.all(prefixes.map((prefix) => store.removeAll(prefix, isGone)))).every(Boolean);
    },
  };
}

interface Needing {
  readonly markers: DeletionMarkers;
  readonly signal: AbortSignal;
}

function needsOf(ports: Ports, clients: ReturnType<typeof openClients>, { markers, signal }: Needing): IngestNeeds {
  return {
    ...ports,
    references: recordReferences(clients.records, signal),
    markers,
    peopleOf: (tenant) => people(clients.browse, tenant, signal),
  };
}

function openClients(config: Config) {
  const clients = {
    records: createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress),
    browse: createGrpcClient(browseV1.BrowseServiceClient, config.recordsAddress),
    tasks: createGrpcClient(tasksV1.TasksServiceClient, config.tasksAddress),
  };
  connectAhead(...Object.values(clients));
  return clients;
}
