import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type RedeliveryNotes } from '@stechuhr/bus';
import { streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { connectMongo, redeliveryNotes, type MongoDb } from '@stechuhr/mongo';
import { openTcpGate, testServers, waitFor, watchSubjects, type TestServers } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const ALONE = 'a message that may end its process is handled alone';

let servers: TestServers;
let database: MongoDb;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  // Each redelivery takes this long. A busy machine must not delay the heartbeats, which are sent three times as often, by the other two thirds.
  process.env.NATS_ACK_WAIT_SECONDS = '3';
  servers = await testServers();
  database = await connectMongo({ url: servers.mongodbUrl, database: servers.database('crashes'), logger: silent });
  const bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger: silent });
  await bus.ensureStreams();
  await bus.close();
});

afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()));
});

afterAll(async () => {
  delete process.env.NATS_ACK_WAIT_SECONDS;
  await database.close();
  await servers.stop();
});

/** A queue with a consumer, and processes that handle its messages. */
function newQueue() {
  const [subject, collection] = [`stechuhr.jobs.${randomUUID()}`, database.connection.collection(randomUUID())];
  const stored = redeliveryNotes(collection);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  /**
   * @param handle called with the text of a message, and the texts of those that the process is handling; without an end where it returns a promise
   * without one
   */
  const start = async (handle: (text: string, beside: readonly string[]) => Promise<void>, notes: RedeliveryNotes = stored) => {
    const [gate, active, said] = [await openTcpGate(new URL(servers.natsUrl).host), new Set<string>(), [] as string[]];
    const logger = { ...silent, warn: (_: object, message: string) => void said.push(message) };
    const bus = await connectBus({ servers: `nats://${gate.address}`, name: 'process', logger, notes });
    const consumption = bus.consume({
      ...{ stream: streams.jobs.name, durable: subject.replaceAll('.', '_'), filterSubject: subject, deadLetter: 'crashes' },
      ...{ concurrency: 4, maxAttempts: 3, backoffMs: [10] },
      async handler(message) {
        const text = message.text();
        const beside = [...active];
        active.add(text);
        await Promise.race([handle(text, beside), over]).finally(() => active.delete(text));
      },
    });
    cleanUps.push(async () => {
      end();
      await consumption.stop();
      await bus.close();
      await gate.stop();
    });
    // Its handlers go on, but nobody hears from it any more.
    return { active, said, kill: () => gate.stop(), stop: () => consumption.stop() };
  };
  const publish = async (...texts: readonly string[]) => {
    const bus = await connectBus({ servers: servers.natsUrl, name: 'publisher', logger: silent });
    for (const text of texts) await bus.publish(subject, text);
    await bus.close();
  };
  return { subject, stored, start, publish, noted: () => collection.countDocuments() };
}

const forever = new Promise<void>(() => undefined);

describe('a message whose handler ends the process', () => {
  it('is handled alone after two times, and becomes a dead letter after three more; the others are handled', async () => {
    const { subject, start, publish, noted } = newQueue();
    const dead = await watchSubjects(servers.natsUrl, 'stechuhr.dead.crashes.>');
    await publish('deadly', 'other');
    const handled: string[] = [];
    const beside: (readonly string[])[] = [];
    for (const round of [1, 2, 3, 4, 5]) {
      const { active, kill } = await start(async (text, others) => {
        if (text === 'deadly') beside.push(others);
        if (text === 'deadly' || round <= 2) await forever;
        handled.push(text);
      });
      await waitFor(() => active.has('deadly') && (round > 2 || active.has('other')));
      if (round > 2) expect([...active]).toEqual(['deadly']);
      await kill();
    }
    await start(async (text) => void handled.push(text));
    const letter = JSON.parse((await dead.next(({ text }) => text.includes(subject))).text);
    expect(letter).toMatchObject({ subject, reason: 'The process that handled the message ended each time.', payload: 'deadly' });
    await waitFor(() => handled.includes('other'));
    expect(beside.slice(2)).toEqual([[], [], []]);
    expect(handled).not.toContain('deadly');
    await waitFor(async () => (await noted()) === 0);
    await dead.settled();
    expect(dead.messages.filter(({ text }) => text.includes(subject))).toHaveLength(1);
    await dead.stop();
  });
});

describe('a message that does not end the process', () => {
  it('is not handled alone, however often it meets an outage in several processes', async () => {
    const { start, publish, noted } = newQueue();
    let calls = 0;
    const handle = async () => {
      calls += 1;
      if (calls < 12) throw new AppError('unavailable', 'A service is not available.');
    };
    const processes = await Promise.all([start(handle), start(handle)]);
    await publish('x');
    await waitFor(() => calls === 12);
    await waitFor(async () => (await noted()) === 0);
    expect(processes.flatMap(({ said }) => said)).not.toContain(ALONE);
  });

  it('is returned only when its note was removed, so that an outage of the notes does not look like a crash', async () => {
    const { stored, start, publish, noted } = newQueue();
    const first = await start(() => forever);
    await publish('x');
    await waitFor(() => first.active.size === 1);
    await first.kill();
    let refusals = 2;
    const remove: RedeliveryNotes['remove'] = async (messages) => {
      if (refusals-- > 0) throw new AppError('unavailable', 'The database is not available.');
      await stored.remove(messages);
    };
    const notedBefore: number[] = [];
    const second = await start(
      async () => {
        notedBefore.push(await noted());
        if (notedBefore.length === 1) throw new AppError('unavailable', 'The database is not available.');
      },
      { ...stored, remove },
    );
    await waitFor(() => notedBefore.length === 2);
    // This process returned it, so that it needs no note.
    expect(notedBefore).toEqual([1, 0]);
    expect(second.said).not.toContain(ALONE);
  });

  it('has no note when the process stops, whether or not its handler ends in time', async () => {
    const { start, publish, noted } = newQueue();
    const first = await start(() => forever);
    await publish('x');
    await waitFor(() => first.active.size === 1);
    await first.kill();
    const second = await start(() => forever);
    await waitFor(() => second.active.size === 1);
    expect(await noted()).toBe(1);
    void second.stop();
    await waitFor(async () => (await noted()) === 0);
  });

  it('has no note either when the process stops while it writes the note', async () => {
    const { stored, start, publish, noted } = newQueue();
    const first = await start(() => forever);
    await publish('x');
    await waitFor(() => first.active.size === 1);
    await first.kill();
    const [written, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begin: RedeliveryNotes['begin'] = async (message) => {
      const interruptions = await stored.begin(message);
      written.resolve();
      await stopped.promise;
      return interruptions;
    };
    const second = await start(() => forever, { ...stored, begin });
    await written.promise;
    void second.stop();
    stopped.resolve();
    await waitFor(() => second.active.size === 1);
    await waitFor(async () => (await noted()) === 0);
  });
});
