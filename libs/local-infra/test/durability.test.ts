import { describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { startMongo, startNats, startS3 } from '../src/index.js';

describe('a MongoDB that is killed under load', () => {
  it('has every write that it acknowledged, and its indexes agree with its documents', async () => {
    const server = await startMongo({ own: true });
    const writer = await MongoClient.connect(server.address, { serverSelectionTimeoutMS: 500, retryWrites: false });
    const collection = writer.db('durable').collection<{ _id: string; key: string; n: number }>('things');
    await collection.createIndex({ key: 1 }, { unique: true });
    await collection.createIndex({ n: 1 }, { unique: true, partialFilterExpression: { n: { $lt: 0 } } });
    const acknowledged = new Map<string, number>();
    const write = async (worker: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const _id = `${worker}-${n % 50}`;
        await collection.updateOne({ _id }, { $set: { n, key: `key-${_id}` } }, { upsert: true });
        acknowledged.set(_id, n);
      }
    };
    const writers = Array.from({ length: 8 }, (_, worker) => write(worker).catch(() => undefined));
    while (acknowledged.size < 300) await new Promise((resolve) => setImmediate(resolve));
    await server.kill();
    await Promise.all(writers);
    await writer.close();

    await server.restart();
    const reader = await MongoClient.connect(server.address);
    const found = reader.db('durable').collection<{ _id: string; key: string; n: number }>('things');
    for (const [_id, n] of acknowledged) {
      const document = await found.findOne({ key: `key-${_id}` });
      expect(document?._id).toBe(_id);
      // A later write may have been stored although the server was killed before it was acknowledged.
      expect(document?.n).toBeGreaterThanOrEqual(n);
    }
    await expect(found.insertOne({ _id: 'new', key: 'key-0-0', n: 0 })).rejects.toMatchObject({ code: 11000 });
    await found.insertOne({ _id: 'below', key: 'below', n: -1 });
    await expect(found.insertOne({ _id: 'again', key: 'again', n: -1 })).rejects.toMatchObject({ code: 11000 });
    await reader.close();
    await server.stop();
  });
});

describe('a NATS that is killed under load', () => {
  it('has every message that it acknowledged', async () => {
    const server = await startNats({ own: true });
    const publisher = await connect({ servers: server.address, reconnect: false });
    await (await jetstreamManager(publisher)).streams.add({ name: 'TEST', subjects: ['test'] });
    const js = jetstream(publisher);
    let acknowledged = 0;
    const publish = async (): Promise<void> => {
      for (;;) acknowledged = Math.max(acknowledged, (await js.publish('test', 'x'.repeat(300))).seq);
    };
    const publishers = Array.from({ length: 32 }, () => publish().catch(() => undefined));
    while (acknowledged < 1_000) await new Promise((resolve) => setImmediate(resolve));
    await server.kill();
    await Promise.all(publishers);

    await server.restart();
    const reader = await connect({ servers: server.address });
    const { state } = await (await jetstreamManager(reader)).streams.info('TEST');
    expect(state.last_seq).toBeGreaterThanOrEqual(acknowledged);
    expect(state.messages).toBe(state.last_seq);
    await reader.close();
    await server.stop();
  });
});

describe('an object store whose key was lost with the power', () => {
  it('starts, and has a key', async () => {
    const home = mkdtempSync(join(tmpdir(), 'stechuhr-test-'));
    const file = join(home, 'data', 's3', 'secret-key');
    mkdirSync(dirname(file), { recursive: true });
    // The content was still in memory.
    writeFileSync(file, '');
    const server = await startS3({ own: true, home });
    expect(server.address.secretKey).toMatch(/^[\w-]{32}$/);
    expect(readFileSync(file, 'utf8')).toBe(server.address.secretKey);
    await server.stop();
    rmSync(home, { recursive: true });
  });
});
