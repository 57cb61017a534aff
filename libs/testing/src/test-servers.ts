import { randomBytes } from 'node:crypto';
import { Home, startNats, startRedis } from '@stechuhr/local-infra';

/** The servers of one test file. */
export interface TestServers {
  /** Shared by all files of the run. */
  readonly mongodbUrl: string;
  /** Separate for each file, so that streams and consumers do not collide. */
  readonly natsUrl: string;
  /** Separate for each file. */
  readonly redisUrl: string;
  /** A database name that no other file uses; the same for the same name. */
  database(name: string): string;
  stop(): Promise<void>;
}

/**
 * Real servers for a test file: `beforeAll(async () => { servers = await testServers(); })`. Addresses in the environment (`MONGODB_URL`, `NATS_URL`,
 * `REDIS_URL`) take precedence.
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
