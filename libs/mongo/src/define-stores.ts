import {
  connectBus,
  createEvent,
  prepareBus,
  startOutboxRelay,
  type Bus,
  type EventInput,
  type OutboxRelay,
  type SliceClaims,
} from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import { AppError, type Inspection, type Logger } from '@stechuhr/kernel';
import type { Collection } from 'mongoose';
import { connectMongo, type MongoDb, type MongoOptions } from './connect.js';
import { outboxInspections } from './inspections.js';
import { outboxOf, type DocumentOutbox } from './outbox.js';
import { redeliveryNotes } from './redelivery-notes.js';
import { sliceClaims } from './slice-claims.js';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** The database collections of a service that publishes events. */
export interface StoresDefinition<M> {
  /** The name of the service, as servers show it for its connections. */
  readonly name: string;
  /** Declares the models of the database; their indexes are created afterwards. Also creates indexes without a model. */
  readonly models: (database: MongoDb) => M | Promise<M>;
  /** The collections whose documents contain events. */
  readonly outboxes: (models: M) => readonly Collection[];
  /** How often outboxes are searched without a notification, in milliseconds; 5 s by default. */
  readonly sweepMs?: number;
  /**
   * Age at which an unpublished event is assumed to be abandoned by the process that wrote it, in milliseconds; 5 s by default. 0 if no
   * writer has a relay.
   */
  readonly staleMs?: number;
}

/** The addresses of the servers; part of the service's configuration. */
export interface StoresConfig {
  readonly mongodb: Pick<MongoOptions, 'url' | 'database'>;
  readonly natsUrl: string;
}

/** The database of a service, the bus, and the relay that publishes events from the database to the bus. */
export interface Stores<M> {
  readonly database: MongoDb;
  readonly models: M;
  readonly bus: Bus;
  readonly relay: OutboxRelay;
  /** Creates an event that this process is about to write into an outbox. The relay publishes it after the next notification. */
  createEvent(input: EventInput): CloudEvent;
  /** Distributes periodic work between the replicas. */
  readonly claims: SliceClaims;
  /** Checks for leftover data, for operators. */
  readonly inspections: readonly Inspection[];
  /** For `/readyz`. */
  readonly checks: Readonly<Record<'mongodb' | 'nats', () => Promise<void>>>;
  /** Publishes waiting events, then closes both connections. Stop consumers and all writers first. */
  close(): Promise<void>;
}

/** The operations of a {@link StoresDefinition}. */
export interface DefinedStores<M> {
  /**
   * Connects the database, indexes, bus, streams and relay.
   *
   * @throws the driver's error when MongoDB does not answer within 150 s; NATS may become available later
   */
  connect(config: StoresConfig, logger: Logger): Promise<Stores<M>>;
  /** Only creates indexes and, if permitted, streams with their consumers, for `main.js prepare`. @throws when a server does not answer */
  prepare(config: StoresConfig, logger: Logger): Promise<void>;
}

const SWEEP_MS = 5_000;
const STALE_MS = 5_000;
const REMAINS = 'outbox-remains';
/** Shorter than the startup probes of the Helm chart allow. */
const WAIT_MS = 150_000;

/** Defines the stores of a service that publishes events; they can be connected or only prepared. */
export function defineStores<M>(definition: StoresDefinition<M>): DefinedStores<M> {
  const { name, outboxes, sweepMs = SWEEP_MS, staleMs = STALE_MS } = definition;
  const open = (config: StoresConfig, logger: Logger, waitMs: number) => openUntil(definition, { config, logger, waitMs });
  return {
    async connect(config, logger) {
      const { database, models } = await open(config, logger, WAIT_MS);
      const notes = redeliveryNotes(database.connection.collection('redelivered_messages'));
      const bus = await connectBus({ servers: config.natsUrl, name, logger, notes });
      await bus.ensureStreams();
      const boxes = outboxes(models).map((one) => outboxOf<CloudEvent>(one));
      const slices = database.connection.collection('claimed_slices');
      const claims = sliceClaims(slices);
      const relay = startOutboxRelay({ stores: boxes, claims, bus, logger, sweepMs, staleMs });
      const swept = Promise.all([sweepRemains(database, boxes, logger), notes.removeOld().catch(() => undefined)]);
      return {
        database,
        models,
        bus,
        relay,
        createEvent(input) {
          const event = createEvent(input);
          relay.expect(event);
          return event;
        },
        claims,
        inspections: outboxInspections(boxes, slices),
        checks: { mongodb: () => database.ping(), nats: () => bus.ping() },
        async close() {
          await relay.stop();
          await swept;
          await bus.close();
          await database.close();
        },
      };
    },
    async prepare(config, logger) {
      // Does not wait: an upgrade that cannot reach its database should fail quickly.
      const { database } = await open(config, logger, 0);
      await database.close();
      await prepareBus({ servers: config.natsUrl, name, logger });
    },
  };
}

interface Opening {
  readonly config: StoresConfig;
  readonly logger: Logger;
  readonly waitMs: number;
}

/** Retries when the server becomes unavailable while indexes are created, as it does when the server is not available yet. */
async function openUntil<M>(definition: StoresDefinition<M>, { config, logger, waitMs }: Opening) {
  const end = performance.now() + waitMs;
  for (;;) {
    const leftMs = Math.max(0, end - performance.now());
    try {
      return await openOnce(definition, { config, logger, waitMs: leftMs });
    } catch (caught) {
      if (leftMs === 0 || AppError.from(caught).code !== 'unavailable') throw caught;
      logger.warn({ database: config.mongodb.database, err: caught }, 'waiting for MongoDB');
    }
  }
}

async function openOnce<M>({ name, models: declare }: StoresDefinition<M>, { config, logger, waitMs }: Opening) {
  const database = await connectMongo({ ...config.mongodb, logger, appName: name, waitMs });
  try {
    const models = await declare(database);
    await database.ensureIndexes();
    return { database, models };
  } catch (caught) {
    await database.close();
    throw caught;
  }
}

/**
 * Removes deleted documents that earlier versions left behind. This runs once for each database, because it reads whole collections. It
 * runs in the background, so that the service does not wait for it; after a failure it runs again at the next start.
 */
async function sweepRemains({ connection }: MongoDb, boxes: readonly DocumentOutbox<CloudEvent>[], logger: Logger): Promise<void> {
  const sweeps = withStringIds<StringIdDocument & { readonly done_at: Date }>(connection.collection('sweeps'));
  try {
    if ((await sweeps.findOne({ _id: REMAINS })) !== null) return;
    for (const box of boxes) {
      const removed = await box.removeRemains();
      if (removed > 0) logger.warn({ collection: box.name, removed }, 'removed deleted documents that had been left behind');
    }
    await sweeps.updateOne({ _id: REMAINS }, { $set: { done_at: new Date() } }, { upsert: true });
  } catch (caught) {
    logger.warn({ err: caught }, 'deleted documents that were left behind could not be removed yet');
  }
}
