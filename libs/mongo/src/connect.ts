import { setTimeout as delay } from 'node:timers/promises';
import { Mongoose, mongo, type Connection } from 'mongoose';
import type { Logger } from '@stechuhr/kernel';
import { concerns } from './concerns.js';
import { FIRST_CONNECTION_MS, timeLimits } from './time-limits.js';

/** The options of {@link connectMongo}. */
export interface MongoOptions {
  /** A MongoDB connection string, including user, replica set and TLS settings. */
  readonly url: string;
  /** The database of the service, which no other service reads. */
  readonly database: string;
  readonly logger: Logger;
  /** The name of the service, as the server shows it in its log and current operations. */
  readonly appName?: string;
  /** How long to retry until the server answers and accepts the user, in milliseconds; at least 5 s. */
  readonly waitMs?: number;
}

/** The database of a service. */
export interface MongoDb {
  /** For models and native collections. Filters that contain operators in code need `mongoose.trusted({…})`. */
  readonly connection: Connection;
  /** Rejects if the database does not answer; for `/readyz`. */
  ping(): Promise<void>;
  /** Creates the indexes that the schemas of all models on the connection declare. Call it at startup, before the first request. */
  ensureIndexes(): Promise<void>;
  /** Closes the connection without waiting for running operations; call it when all of them have ended. */
  close(): Promise<void>;
}

/**
 * Connections that are opened before the first request and kept open. A service that has just started gets its full share of the load at
 * once; on a busy machine, its first requests would otherwise wait for one handshake after the other.
 */
const READY_CONNECTIONS = 5;
const MAX_CONNECTIONS = 50;

/**
 * Connects to the database of a service.
 *
 * - Filters are sanitized: an operator injected through a value matches nothing instead of everything.
 * - A filter on a field that is not in the schema throws: if it were dropped silently, it would match every document.
 * - Indexes and collections are only created by {@link MongoDb.ensureIndexes}.
 *
 * @throws the driver's error when no server answers within 5 s, or within `waitMs`
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

/** Retries, because on a fresh installation the servers, their users and the services are started at the same time. */
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
    maxPoolSize: MAX_CONNECTIONS,
    maxConnecting: READY_CONNECTIONS,
    ...concerns,
    ...timeLimits,
  });
  try {
    await connection.asPromise();
    const server = connection.getClient().db(database);
    // Concurrent commands use one connection each, so this opens all of them.
    await Promise.all(Array.from({ length: READY_CONNECTIONS }, () => server.command({ ping: 1 })));
    return connection;
  } catch (caught) {
    await connection.destroy();
    throw caught;
  }
}

/** Creates indexes sequentially: a server under load builds them faster this way, and the first error names its collection. */
async function ensureIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}
