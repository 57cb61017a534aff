import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { streams } from '@stechuhr/contracts';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { Redis } from 'ioredis';
import { Client } from 'minio';
import type { TestPlatform } from './platform.js';

/**
 * Searches all stores of a platform for texts.
 * @returns places such as `mongodb stechuhr_records.employees`, `s3 uploads/…`, `nats STECHUHR_EVENTS` and `logs …`
 */
export async function placesOf(platform: TestPlatform, texts: readonly string[]): Promise<readonly string[]> {
  const named = (content: string): boolean => texts.some((text) => content.includes(text));
  const found = await Promise.all([inMongodb, inS3, inNats, inRedis, inLogs].map((look) => look(platform, named)));
  return [...new Set(found.flat())].sort();
}

type Look = (platform: TestPlatform, named: (content: string) => boolean) => Promise<readonly string[]>;

const inMongodb: Look = async ({ infra }, named) => {
  const logger = createLogger('tests', 'fatal');
  const { connection, close } = await connectMongo({ url: infra.mongodbUrl, database: 'admin', appName: 'tests', logger });
  const client = connection.getClient();
  const found: string[] = [];
  for (const { name } of (await client.db().admin().listDatabases()).databases) {
    for (const collection of await client.db(name).collections()) {
      for await (const document of collection.find()) {
        if (named(JSON.stringify(document))) found.push(`mongodb ${name}.${collection.collectionName}`);
      }
    }
  }
  await close();
  return found;
};

const inS3: Look = async ({ infra }, named) => {
  const { endpoint, accessKey, secretKey, bucket } = infra.s3;
  const { hostname, port } = new URL(endpoint);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  const found: string[] = [];
  for await (const { name = '' } of client.listObjectsV2(bucket, '', true) as AsyncIterable<{ readonly name?: string }>) {
    const content = (await buffer(await client.getObject(bucket, name))).toString('latin1');
    if (named(name) || named(content)) found.push(`s3 ${name.split('/', 1).join()}`);
  }
  return found;
};

const inNats: Look = async ({ infra }, named) => {
  const connection = await connect({ servers: infra.natsUrl });
  const manager = await jetstream(connection).jetstreamManager();
  const found: string[] = [];
  for (const { name } of Object.values(streams)) {
    const { state } = await manager.streams.info(name);
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      // Messages in between may have been handled and removed.
      const message = await manager.streams.getMessage(name, { seq }).catch(() => null);
      if (message !== null && named(message.string())) found.push(`nats ${name}`);
    }
  }
  await connection.close();
  return found;
};

const inRedis: Look = async ({ infra }, named) => {
  const redis = new Redis(infra.redisUrl);
  const found: string[] = [];
  for await (const keys of redis.scanStream() as AsyncIterable<readonly string[]>) {
    for (const key of keys) if (named(key) || named((await redis.get(key).catch(() => '')) ?? '')) found.push('redis');
  }
  redis.disconnect();
  return found;
};

const inLogs: Look = ({ home }, named) => {
  const files = globSync('logs/**', { cwd: home }).filter((file) => statSync(join(home, file)).isFile());
  return Promise.resolve(files.filter((file) => named(readFileSync(join(home, file), 'utf8'))));
};
