import { randomBytes } from 'node:crypto';
import { Home, startNats, startRedis } from '@stechuhr/local-infra';

/** The servers of one test file. */
export interface TestServers {
  /** Shared by all files of the run. */
  readonly mongodbUrl: string;
  /** The file's own server, so that streams and consumers of different files never conflict. */
  readonly natsUrl: string;
  /** The file's own server. */
  readonly redisUrl: string;
  /** Returns a database name that no other file uses; the same name gives the same database. */
  database(name: string): string;
  stop(): Promise<void>;
}

/**
 * Starts real servers for a test file: `beforeAll(async () => { servers = await testServers(); })`. Servers whose addresses are set in the
 * environment (`MONGODB_URL`, `NATS_URL`, `REDIS_URL`) are used instead.
 */
export async function testServers(): Promise<TestServers> {
  const mongodbUrl = process.env.STECHUHR_TEST_MONGODB_URL;
  if (mongodbUrl === undefined) throw new Error('There is no MongoDB: run the test in the project "integration", which starts one.');
  const home = await Home.temporary();
  const starting = [startNats({ home }), startRedis({ home })] as const;
  const stop = async () => {
    const settled = await Promise.allSettled(starting);
    await Promise.all(settled.map(async (server) => server.status === 'fulfilled' && (await server.value.stop())));
    await home.close();
  };
  try {
    const [nats, redis] = await Promise.all(starting);
    const prefix = `test_${randomBytes(4).toString('hex')}`;
    return { mongodbUrl, natsUrl: nats.address, redisUrl: redis.address, database: (name) => `${prefix}_${name}`, stop };
  } catch (caught) {
    await stop();
    throw caught;
  }
}
