import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streams } from '@stechuhr/contracts';
import type { BenchPlatform } from '../../platform/platform.js';
import { monthsFilter, withDatabase, type StoredMonths } from '../../platform/stored-months.js';

/** Average size in bytes of one document of a month, and of one event in its stream. */
export interface StoredSizes {
  readonly monthBytes: number;
  readonly eventBytes: number;
}

const MONTHS_READ = 500;

/** Measures the average size of stored documents and events. */
export async function storedSizes({ mongodbUrl, surroundings }: BenchPlatform, stored: StoredMonths): Promise<StoredSizes> {
  return { monthBytes: await monthBytes(mongodbUrl, stored), eventBytes: await eventBytes(surroundings.servers.NATS_URL) };
}

function monthBytes(mongodbUrl: string, stored: StoredMonths): Promise<number> {
  return withDatabase(mongodbUrl, 'records', async ({ connection }) => {
    const { collection, filter } = monthsFilter(stored);
    // Raw BSON has the same length as the stored documents.
    const options = { raw: true, limit: MONTHS_READ } as const;
    const documents = (await connection.collection(collection).find(filter, options).toArray()) as unknown as Buffer[];
    return documents.reduce((sum, { byteLength }) => sum + byteLength, 0) / documents.length;
  });
}

async function eventBytes(servers: string): Promise<number> {
  const connection = await connect({ servers });
  try {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(streams.events.name);
    return state.messages === 0 ? 0 : state.bytes / state.messages;
  } finally {
    await connection.close();
  }
}
