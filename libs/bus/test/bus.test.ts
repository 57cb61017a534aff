import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectBus, createEvent, type Bus, type BusMessage, type Consumption, type ConsumeOptions } from '@stechuhr/bus';
import { cloudEventSchema, deadLetterSubject, handOverSubject, ingestSubject, streams } from '@stechuhr/contracts';
import { AppError, systemClock } from '@stechuhr/kernel';
import { openTcpGate, ownTime, testServers, waitFor, watchSubjects, type TestServers } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let servers: TestServers;
let bus: Bus;
const running: Consumption[] = [];

beforeAll(async () => {
  servers = await testServers();
  bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger: silent });
  await bus.ensureStreams();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((consumption) => consumption.stop()));
});

afterAll(async () => {
  await bus.close();
  await servers.stop();
});

/** A subject of the jobs stream that no other test uses. */
const newSubject = () => `stechuhr.jobs.${randomUUID()}`;

function consume(subject: string, handler: ConsumeOptions['handler'], options: Partial<ConsumeOptions> = {}): Consumption {
  const consumption = bus.consume({
    stream: streams.jobs.name,
    durable: subject.replaceAll('.', '_'),
    filterSubject: subject,
    concurrency: 4,
    maxAttempts: 3,
    backoffMs: [10],
    deadLetter: 'test',
    handler,
    ...options,
  });
  running.push(consumption);
  return consumption;
}

describe('ensureStreams', () => {
  it('may be repeated, and run concurrently in several processes', async () => {
    await expect(Promise.all([bus.ensureStreams(), bus.ensureStreams()])).resolves.toBeDefined();
  });
});

describe('eventClock', () => {
  it('is the clock by which messages are stored', async () => {
    const subject = newSubject();
    const handled: number[] = [];
    consume(subject, async ({ storedAt }) => void handled.push(storedAt.getTime()));
    const before = await bus.eventClock();
    await bus.publish(subject, '{}');
    const after = await bus.eventClock();
    await waitFor(() => handled.length === 1);
    expect(handled[0]).toBeGreaterThanOrEqual(before ?? Infinity);
    expect(handled[0]).toBeLessThanOrEqual(after ?? -Infinity);
  });

  it('is unknown without a connection', async () => {
    const unconnected = await connectBus({ servers: 'nats://127.0.0.1:1', name: 'test', logger: silent });
    await expect(unconnected.eventClock()).resolves.toBeUndefined();
    await unconnected.close();
  });

  it('is unknown after a second if the server hangs', async () => {
    const gate = await openTcpGate(new URL(servers.natsUrl).host);
    const suspended = await connectBus({ servers: gate.address, name: 'test', logger: silent });
    await waitFor(() => suspended.isConnected());
    gate.hold('answers');
    let time: number | undefined = 0;
    expect(await ownTime(async () => (time = await suspended.eventClock()))).toBeLessThan(2_000);
    expect(time).toBeUndefined();
    gate.release();
    await suspended.close();
    await gate.stop();
  });
});

describe('limits of the streams', () => {
  // The right to publish on a subject includes the right to send headers, some of which the server interprets as commands.
  it.each([
    ['Nats-Rollup', 'all'],
    ['Nats-Rollup', 'sub'],
    ['Nats-TTL', '1'],
    ['Nats-Schedule', '@every 1s'],
    ['Nats-Batch-Id', 'a'],
    ['Nats-Incr', '1'],
  ])('apply to publishers who send the header %s: %s', async (header, value) => {
    const [theirs, own] = [newSubject(), newSubject()];
    await bus.publish(theirs, '{}');
    await expect(bus.publish(own, '{}', { headers: { [header]: value } })).rejects.toMatchObject({ code: 'unavailable' });
    const connection = await connect({ servers: servers.natsUrl });
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(streams.jobs.name, { subjects_filter: 'stechuhr.jobs.*' });
    expect([state.subjects?.[theirs], state.subjects?.[own]]).toEqual([1, undefined]);
    await connection.close();
  });

  it('keep a share for every institution, and stay as operators have set them', async () => {
    const connection = await connect({ servers: servers.natsUrl });
    const manager = await jetstreamManager(connection);
    const { name, maxBytes, maxMessagesPerSubject } = streams.ingest;
    const limits = async () => {
      const { max_bytes, max_msgs_per_subject, discard } = (await manager.streams.info(name)).config;
      return { max_bytes, max_msgs_per_subject, discard };
    };
    const ours = { max_bytes: maxBytes, max_msgs_per_subject: maxMessagesPerSubject, discard: 'new' };
    expect(await limits()).toEqual(ours);
    // A stream of a version without limits.
    await manager.streams.update(name, { max_bytes: -1, max_msgs_per_subject: -1, discard_new_per_subject: false });
    await bus.ensureStreams();
    expect(await limits()).toEqual(ours);
    await manager.streams.update(name, { max_bytes: 1_000_000, max_msgs_per_subject: 3 });
    const age = { max_age: nanos(3 * 86_400_000), duplicate_window: nanos(60_000) };
    const before = (await manager.streams.update(streams.dead.name, age)).config;
    expect(before.max_msgs_per_subject).toBe(streams.dead.maxMessagesPerSubject);
    await bus.ensureStreams();
    expect((await manager.streams.info(streams.dead.name)).config).toEqual(before);
    expect(await limits()).toEqual({ max_bytes: 1_000_000, max_msgs_per_subject: 3, discard: 'new' });
    const [full, other] = [randomUUID(), randomUUID()].map((institution) => ingestSubject(institution, 'employee')) as [string, string];
    for (const text of ['1', '2', '3']) await bus.publish(full, text);
    await expect(bus.publish(full, '4')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(bus.publish(other, '1')).resolves.toBeUndefined();
    await manager.streams.update(name, ours as object);
    await connection.close();
  });
});

describe('the stream of dead letters', () => {
  const letterOf = (institutionId: string, number: number, bytes: number): [subject: string, letter: string] => {
    return [deadLetterSubject({ origin: 'test', institutionId, bytes, number }), 'x'.repeat(bytes)];
  };

  it('keeps the letters of an institution whatever others send', async () => {
    const connection = await connect({ servers: servers.natsUrl });
    const manager = await jetstreamManager(connection);
    const [quiet, loud] = [randomUUID(), randomUUID()];
    await bus.publish(...letterOf(quiet, 1, 1_000));
    for (let number = 0; number < 20; number++) await bus.publish(...letterOf(loud, number, 600_000));
    const kept = async (institutionId: string) => {
      const { state } = await manager.streams.info(streams.dead.name, { subjects_filter: `stechuhr.dead.test.${institutionId}.>` });
      return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
    };
    expect([await kept(quiet), await kept(loud)]).toEqual([1, 16]);
    await connection.close();
  });

  // Of 0.2, whose letters of all institutions are on one subject: a limit for each would remove all but a few of them.
  it('is not limited by subject where it is there already', async () => {
    const connection = await connect({ servers: servers.natsUrl });
    const manager = await jetstreamManager(connection);
    const { name, maxBytes, maxMessagesPerSubject } = streams.dead;
    await manager.streams.update(name, { max_bytes: -1, max_msgs_per_subject: -1 });
    await bus.ensureStreams();
    expect((await manager.streams.info(name)).config).toMatchObject({ max_bytes: maxBytes, max_msgs_per_subject: -1 });
    await manager.streams.update(name, { max_msgs_per_subject: maxMessagesPerSubject });
    await connection.close();
  });
});

describe('publish', () => {
  it('keeps a message with a known id once', async () => {
    const subject = newSubject();
    const seen: string[] = [];
    for (const text of ['first', 'again']) await bus.publish(subject, text, { msgId: subject });
    await bus.publish(subject, 'last');
    consume(subject, async (message) => void seen.push(message.text()), { concurrency: 1 });
    await waitFor(() => seen.includes('last'));
    expect(seen).toEqual(['first', 'last']);
  });

  it('accepts more messages at once than may be in flight, and keeps their order', async () => {
    const subject = newSubject();
    const sequences: number[] = [];
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => bus.publish(subject, String(index))));
    consume(subject, async (message) => void sequences.push(Number(message.text())), { concurrency: 1 });
    await waitFor(() => sequences.length === 1_000);
    expect(sequences).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  });

  it('rejects as unavailable when no stream takes the subject', async () => {
    await expect(bus.publish('elsewhere', 'text')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('consume', () => {
  it('gives the handler the sequence and the headers of the message', async () => {
    const subject = newSubject();
    const seen: BusMessage[] = [];
    await bus.publish(subject, '{"a":1}', { headers: { actor: 'me' } });
    await bus.publish(subject, '2');
    consume(subject, async (message) => void seen.push(message), { concurrency: 1 });
    await waitFor(() => seen.length === 2);
    const [first, second] = seen;
    expect(first?.json()).toEqual({ a: 1 });
    expect([first?.header('actor'), first?.header('other'), first?.deliveries]).toEqual(['me', undefined, 1]);
    expect(second?.streamSequence).toBeGreaterThan(first?.streamSequence ?? Infinity);
  });

  it('never handles more messages at a time than allowed', async () => {
    const subject = newSubject();
    let now = 0;
    let most = 0;
    let done = 0;
    await Promise.all(Array.from({ length: 40 }, () => bus.publish(subject, 'x')));
    consume(subject, async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      done += 1;
    });
    await waitFor(() => done === 40);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('reads ahead without handling more messages concurrently, and returns unhandled ones when it stops', async () => {
    const subject = newSubject();
    const seen: string[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const texts = Array.from({ length: 20 }, (_, index) => String(index));
    for (const text of texts) await bus.publish(subject, text);
    const durable = randomUUID();
    const handler = async (message: BusMessage) => {
      seen.push(message.text());
      await ended;
    };
    const first = consume(subject, handler, { durable, concurrency: 1, readAhead: 9 });
    await waitFor(() => seen.length === 1);
    const stopped = first.stop();
    end();
    await stopped;
    expect(seen).toEqual(['0']);
    consume(subject, handler, { durable, concurrency: 1, readAhead: 9 });
    await waitFor(() => seen.length === texts.length);
    expect(seen.toSorted()).toEqual(texts.toSorted());
  });

  it('takes no further message once it was stopped, though its last one took long', async () => {
    const subject = newSubject();
    const seen: string[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    for (const text of ['long', 'next']) await bus.publish(subject, text);
    const consumption = consume(
      subject,
      async (message) => {
        seen.push(message.text());
        await ended;
      },
      { concurrency: 1 },
    );
    await waitFor(() => seen.length === 1);
    const stopped = consumption.stop();
    end();
    await stopped;
    expect(seen).toEqual(['long']);
  });

  it('tries again what failed for the moment, then gives it up with its reason', async () => {
    const subject = newSubject();
    const deliveries: number[] = [];
    const dead = await watchSubjects(servers.natsUrl, 'stechuhr.dead.test.>');
    await bus.publish(subject, 'not yet');
    consume(subject, async (message) => {
      deliveries.push(message.deliveries);
      throw new AppError('precondition', 'The employee is unknown.');
    });
    const letter = JSON.parse((await dead.next(({ text }) => text.includes(subject))).text);
    await dead.stop();
    expect(deliveries).toEqual([1, 2, 3]);
    expect(letter).toEqual({
      subject,
      reason: 'The employee is unknown.',
      deliveries: 3,
      failed_at: expect.stringMatching(/Z$/),
      payload: 'not yet',
    });
  });

  it('gives up at once what can never succeed, with the fields in the reason and bytes as base64', async () => {
    const subject = newSubject();
    const dead = await watchSubjects(servers.natsUrl, 'stechuhr.dead.test.>');
    await bus.publish(subject, Uint8Array.of(0xff, 0xfe));
    consume(subject, async () => {
      throw AppError.invalid({ date: ['This field is required.'], timespans: [{}, { type: ['"x" is not a valid choice.'] }] });
    });
    const letter = JSON.parse((await dead.next(({ text }) => text.includes(subject))).text);
    await dead.stop();
    expect(letter).toMatchObject({ deliveries: 1, payload_base64: '//4=' });
    expect(letter.reason).toBe('date: This field is required.; timespans: [{},{"type":["\\"x\\" is not a valid choice."]}]');
  });

  it('names the subject on which it came, whatever the sender claims in a header', async () => {
    const subject = newSubject();
    const dead = await watchSubjects(servers.natsUrl, 'stechuhr.dead.test.>');
    await bus.publish(subject, 'forged', { headers: { 'Stechuhr-Origin-Subject': ingestSubject(randomUUID(), 'account') } });
    consume(subject, async () => {
      throw AppError.invalid({ id: ['Must be a valid UUID.'] });
    });
    const letter = JSON.parse((await dead.next(({ text }) => text.includes('forged'))).text);
    await dead.stop();
    expect(letter).toMatchObject({ subject, payload: 'forged' });
  });

  it('names the subject of the live object where one was handed over', async () => {
    const [institution, kind] = [randomUUID(), 'review_settings'];
    const dead = await watchSubjects(servers.natsUrl, 'stechuhr.dead.test.>');
    await bus.publish(handOverSubject(institution, kind), institution);
    consume(
      handOverSubject(institution, kind),
      async () => {
        throw AppError.invalid({ id: ['Must be a valid UUID.'] });
      },
      { stream: streams.handovers.name, durable: randomUUID() },
    );
    const letter = await dead.next(({ text }) => text.includes(institution));
    await dead.stop();
    expect(letter.subject).toMatch(new RegExp(`^stechuhr\\.dead\\.test\\.${institution}\\.\\d+$`));
    expect(JSON.parse(letter.text)).toMatchObject({ subject: ingestSubject(institution, kind) });
  });

  it('does not hold up other messages for a bad one', async () => {
    const subject = newSubject();
    const seen: string[] = [];
    await Promise.all(['bad', 'good'].map((text) => bus.publish(subject, text)));
    const handler = async (message: BusMessage) => {
      if (message.text() === 'bad') throw new AppError('unavailable', 'unavailable');
      seen.push(message.text());
    };
    consume(subject, handler, { concurrency: 1, backoffMs: [10_000] });
    await waitFor(() => seen.includes('good'));
  });

  it('tries for long while a dependency is unavailable, then succeeds', async () => {
    const subject = newSubject();
    let calls = 0;
    await bus.publish(subject, 'x');
    consume(
      subject,
      async () => {
        calls += 1;
        if (calls < 6) throw new AppError('unavailable', 'unavailable');
      },
      { maxAttempts: 2, backoffMs: [1] },
    );
    await waitFor(() => calls === 6);
  });

  it('waits for running handlers when it stops, and takes nothing more', async () => {
    const subject = newSubject();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const finished: string[] = [];
    let started = 0;
    await bus.publish(subject, 'a');
    const consumption = consume(subject, async (message) => {
      started += 1;
      await release;
      finished.push(message.text());
    });
    await waitFor(() => started === 1);
    let stopped = 0;
    // Whoever stops it once more waits as well.
    for (const stop of [consumption.stop(), consumption.stop()]) void stop.then(() => (stopped += 1));
    await bus.publish(subject, 'b');
    expect(stopped).toBe(0);
    resolve();
    await waitFor(() => stopped === 2);
    expect(finished).toEqual(['a']);
  });
});

describe('a message that fails after an outage', () => {
  it('has all its attempts, whatever an outage or the end of a process took', async () => {
    const subject = newSubject();
    const dead = await watchSubjects(servers.natsUrl, 'stechuhr.dead.test.>');
    const durable = randomUUID();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const begun: string[] = [];
    for (const text of ['first', 'later']) await bus.publish(subject, text);
    const holding = async (message: BusMessage) => {
      begun.push(message.text());
      await ended;
    };
    const stopping = consume(subject, holding, { durable, concurrency: 1, readAhead: 1 });
    await waitFor(() => begun.length === 1);
    const stopped = stopping.stop();
    end();
    await stopped;
    const deliveries: number[] = [];
    const failing = [...Array.from({ length: 4 }, () => 'unavailable' as const), 'precondition' as const, 'precondition' as const];
    consume(
      subject,
      async (message) => {
        deliveries.push(message.deliveries);
        const code = failing.shift();
        if (code !== undefined) throw new AppError(code, 'Not yet.');
      },
      { durable, maxAttempts: 3, backoffMs: [1] },
    );
    await waitFor(() => deliveries.length === 7);
    await dead.settled();
    expect(dead.messages.filter(({ text }) => text.includes(subject))).toEqual([]);
    await dead.stop();
  });
});

describe('createEvent', () => {
  it('is what the catalogue says an event is', () => {
    const id = randomUUID();
    const event = createEvent({ type: 'records.employee.changed', institutionId: randomUUID(), data: { id }, clock: systemClock });
    expect(cloudEventSchema.parse(event)).toEqual(event);
    expect(event).toMatchObject({ type: 'stechuhr.records.employee.changed.v1', source: '/stechuhr/records', subject: id });
  });
});
