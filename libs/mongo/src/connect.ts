import { setTimeout as delay } from 'node:timers/promises';
import { Mongoose, mongo, type Connection } from 'mongoose';
import type { Logger } from '@stechuhr/kernel';
import { concerns } from './concerns.js';
import { FIRST_CONNECTION_MS, timeLimits } from './time-limits.js';

/** What {@link connectMongo} needs. */
export interface MongoOptions {
  /** A MongoDB connection string; users, replica set and TLS are set there. */
  readonly url: string;
  /** The database of the service, which no other service reads. */
  readonly database: string;
  readonly logger: Logger;
  /** Name of the service, shown in the server's log and current operations. */
  readonly appName?: string;
  /** How long to retry, in milliseconds, until the server answers and knows the user; at least 5 s. */
  readonly waitMs?: number;
}

/** The database of a service. */
export interface MongoDb {
  /** For models and native collections. Filters that contain operators in code need `mongoose.trusted({…})`. */
  readonly connection: Connection;
  /** Rejects if the database does not answer; for `/readyz`. */
  ping(): Promise<void>;
  /** Creates the indexes of all models on the connection; called at the start, before the first request. */
  ensureIndexes(): Promise<void>;
  /** Does not wait: call it when every operation has ended. */
  close(): Promise<void>;
}

/**
 * Minimum number of open connections: a service that has just started gets its share of the load at once, and on a busy machine its requests would
 * otherwise wait for one handshake after the other.
 */
const READY_CONNECTIONS = 5;
const MOST_CONNECTIONS = 50;

/**
 * Connects to the database of a service.
 * - Filters are sanitized: an operator inside a value matches nothing instead of everything.
 * - A filter on a field that the schema does not know throws: if it were dropped silently, it would match every document.
 * - Indexes and collections are created by {@link MongoDb.ensureIndexes} only.
 * @throws the driver's error if no server answers within 5 s, or within `waitMs`
 */
export async function connectMongo(options: MongoOptions): Promise<MongoDb> {
  const { database, logger } = options;
  const connection = await openUntil(Date.now() + Math.max(options.waitMs ?? 0, FIRST_CONNECTION_MS), options);
  let closing = false;
  connection.on('disconnected', () => closing || logger.warn({ database }, 'MongoDB is unavailable'));
  connection.on('reconnected', () => logger.info({ database }, 'MongoDB is back'));
  return {
    connection,
    async ping() {
      await connection.getClient().db(database).command({ ping: 1 });
    },
    ensureIndexes: () => ensureIndexes(connection),
    async close() {
      closing = true;
      await connection.close();
    },
  };
}

const PAUSE_MS = 500;

/** In a new installation, servers, their users and the services start at the same time. */
async function openUntil(end: number, options: MongoOptions): Promise<Connection> {
  for (;;) {
    try {
      return await open(options);
    } catch (caught) {
      if (caught instanceof mongo.MongoParseError || Date.now() >= end) throw caught;
      options.logger.warn({ database: options.database, err: caught }, 'waiting for MongoDB');
      await delay(PAUSE_MS);
    }
  }
}

async function open({ url, database, appName }: MongoOptions): Promise<Connection> {
  const mongoose = new Mongoose({
    sanitizeFilter: true,
    strictQuery: 'throw',
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
  });
  const connection = mongoose.createConnection(url, {
    dbName: database,
    ...(appName === undefined ? {} : { appName }),
    minPoolSize: READY_CONNECTIONS,
    maxPoolSize: MOST_CONNECTIONS,
    maxConnecting: READY_CONNECTIONS,
    ...concerns,
    ...timeLimits,
  });
  try {
    await connection.asPromise();
    const server = connection.getClient().db(database);
    // Concurrent pings each take a connection.
    await Promise.all(Array.from({ length: READY_CONNECTIONS }, () => server.command({ ping: 1 })));
    return connection;
  } catch (caught) {
    await connection.destroy();
    throw caught;
  }
}

/** One after the other: a busy server builds them faster this way, and the first error names its collection. */
async function ensureIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}
