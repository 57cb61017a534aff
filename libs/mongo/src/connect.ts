import { Mongoose, type Connection } from 'mongoose';
import type { Logger } from '@stechuhr/kernel';

/** What {@link connectMongo} needs. */
export interface MongoOptions {
  /** A MongoDB connection string; write concern, replica set and TLS are set there. */
  readonly url: string;
  /** The database of the service; no other service reads it. */
  readonly database: string;
  readonly logger: Logger;
  /** Shown in the server's log and current operations; the name of the service. */
  readonly appName?: string;
}

/** The database of a service. */
export interface MongoDb {
  /** For models and native collections. Filters with operators that are written in code need `mongoose.trusted({…})`. */
  readonly connection: Connection;
  /** Rejects when the database does not answer; for `/readyz`. */
  ping(): Promise<void>;
  /** Creates what the schemas of all models on the connection declare; at start, before the first request. */
  ensureIndexes(): Promise<void>;
  /** Waits for nothing: call it when every operation has ended. */
  close(): Promise<void>;
}

/**
 * Connects to the database of a service.
 *
 * - Filters are sanitized: an operator that came in through a value finds nothing instead of everything.
 * - A filter on a field that the schema does not know throws: dropped silently, it would select every document.
 * - Indexes and collections are created by {@link MongoDb.ensureIndexes} alone.
 *
 * @throws the driver's error when no server answers within 5 s
 */
export async function connectMongo({ url, database, logger, appName }: MongoOptions): Promise<MongoDb> {
  const mongoose = new Mongoose({
    sanitizeFilter: true,
    strictQuery: 'throw',
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
  });
  const connection = await mongoose
    .createConnection(url, {
      dbName: database,
      ...(appName === undefined ? {} : { appName }),
      serverSelectionTimeoutMS: 5_000,
      connectTimeoutMS: 5_000,
      waitQueueTimeoutMS: 5_000,
      maxPoolSize: 50,
      maxIdleTimeMS: 300_000,
    })
    .asPromise();
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

/** One after the other: a server under load builds them faster, and the first failure names its collection. */
async function ensureIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}
