import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { streams } from '@stechuhr/contracts';
import { createLogger } from '@stechuhr/service';
import { testServers, type TestServers } from '@stechuhr/testing';
import mongoose from 'mongoose';
import { createIngestClock } from '../src/store/ingest-clock.js';

const STREAM = streams.ingest.name;

let servers: TestServers;
let connection: mongoose.Connection;
beforeAll(async () => {
  servers = await testServers();
  connection = await mongoose.createConnection(servers.mongodbUrl, { dbName: servers.database('clock') }).asPromise();
});
afterAll(async () => {
  await connection.close();
  await servers.stop();
});

const placeOf = (streamSequence: number, stream = STREAM) => ({
  stream,
  streamSequence,
  storedAt: new Date(Date.UTC(2026, 10, 2) + streamSequence),
});

it('a process that starts beside a running one mistakes neither the stream for an older copy nor handled objects for lost', async () => {
  const clockOf = () => createIngestClock(connection.collection('ingest_clock'), createLogger('test', 'fatal'));
  let last = 10;
  const range = () => ({
    firstSequence: last + 1,
    lastSequence: last,
    lastStoredAt: placeOf(last).storedAt,
    initialSequence: 1,
    createdAt: new Date(0),
  });
  const [busy, starting] = [clockOf(), clockOf()];
  await busy.begin(STREAM, () => Promise.resolve(range()));

  await starting.begin(STREAM, async () => {
    const seen = range();
    // When the response arrives, the other process has handled the next message.
    await busy.positionOf(placeOf(++last));
    return seen;
  });

  expect(await starting.positionOf(placeOf(last + 1))).toBe(last + 1);
  const clock = await connection.collection('ingest_clock').findOne();
  expect(clock).toMatchObject({ continuations: [], highest: last + 1 });
  expect(clock).not.toHaveProperty('gaps');
});
