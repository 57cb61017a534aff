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
import { sliceClaims } from './slice-claims.js';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** The database and outboxes of a service that publishes events. */
export interface StoresDefinition<M> {
  /** The name of the service, under which servers show its connections. */
  readonly name: string;
  /** Declares the models of the database; their indexes are created afterwards. Also creates indexes without a model. */
  readonly models: (database: MongoDb) => M | Promise<M>;
  /** The collections whose documents contain events. */
  readonly outboxes: (models: M) => readonly Collection[];
  /** How often outboxes are searched for unpublished events of other processes, in milliseconds; 5 s by default. */
  readonly sweepMs?: number;
  /** Age of an event, in milliseconds, after which other processes publish it; 5 s by default. 0 if no writing process has a relay. */
  readonly staleMs?: number;
}

/** Addresses of its servers; part of its configuration. */
export interface StoresConfig {
  readonly mongodb: Pick<MongoOptions, 'url' | 'database'>;
  readonly natsUrl: string;
}

/** The database of a service, the bus, and the relay that publishes events. */
export interface Stores<M> {
  readonly database: MongoDb;
  readonly models: M;
  readonly bus: Bus;
  readonly relay: OutboxRelay;
  /** Creates an event that this process is about to write to an outbox; it is published after the next notification. */
  createEvent(input: EventInput): CloudEvent;
  /** Distributes work that is due among the replicas. */
  readonly claims: SliceClaims;
  /** Inspections for operators. */
  readonly inspections: readonly Inspection[];
  /** For `/readyz`. */
  readonly checks: Readonly<Record<'mongodb' | 'nats', () => Promise<void>>>;
  /** Publishes what the outboxes contain, then closes both connections. Stop consumers and all writers first. */
  close(): Promise<void>;
}

/** How a service uses its {@link StoresDefinition}. */
export interface DefinedStores<M> {
  /**
   * Connects: database, indexes, bus, streams, relay.
   * @throws the driver's error if MongoDB does not answer for 150 s; NATS may connect later
   */
  connect(config: StoresConfig, logger: Logger): Promise<Stores<M>>;
  /**
   * Creates indexes and, if permitted, streams with their consumers, and nothing else, for `main.js prepare`.
   * @throws if a server does not answer
   */
  prepare(config: StoresConfig, logger: Logger): Promise<void>;
}

const SWEEP_MS = 5_000;
const STALE_MS = 5_000;
const REMAINS = 'outbox-remains';
/** Less than the startup probes of the chart allow. */
const WAIT_MS = 150_000;

/** Defines the stores of a service that publishes events; they can be connected, or only prepared. */
export function defineStores<M>(definition: StoresDefinition<M>): DefinedStores<M> {
  const { name, outboxes, sweepMs = SWEEP_MS, staleMs = STALE_MS } = definition;
  const open = (config: StoresConfig, logger: Logger, waitMs: number) => openUntil(definition, { config, logger, waitMs });
  return {
    async connect(config, logger) {
      const { database, models } = await open(config, logger, WAIT_MS);
      const bus = await connectBus({ servers: config.natsUrl, name, logger });
      await bus.ensureStreams();
      const boxes = outboxes(models).map((one) => outboxOf<CloudEvent>(one));
      const slices = database.connection.collection('claimed_slices');
      const claims = sliceClaims(slices);
      const relay = startOutboxRelay({ stores: boxes, claims, bus, logger, sweepMs, staleMs });
      const swept = sweepRemains(database, boxes, logger);
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
      // An upgrade that cannot reach its database has to report that soon.
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

/** A server that goes away while indexes are created is waited for like one that has not started yet. */
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
 * Runs once for each database, because it reads whole collections, and in the background, because the service need not wait for it. An error is
 * retried at the next start.
 */
async function sweepRemains({ connection }: MongoDb, boxes: readonly DocumentOutbox<CloudEvent>[], logger: Logger): Promise<void> {
  const sweeps = withStringIds<StringIdDocument & { readonly done_at: Date }>(connection.collection('sweeps'));
  try {
    if ((await sweeps.findOne({ _id: REMAINS })) !== null) return;
    for (const box of boxes) {
      const removed = await box.removeRemains();
      if (removed > 0) logger.warn({ collection: box.name, removed }, 'deleted documents had been left behind');
    }
    await sweeps.updateOne({ _id: REMAINS }, { $set: { done_at: new Date() } }, { upsert: true });
  } catch (caught) {
    logger.warn({ err: caught }, 'what was left of deleted documents is not removed yet');
  }
}
