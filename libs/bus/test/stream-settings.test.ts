import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectBus, prepareBus, streamSettingsFromEnvironment, type BusMessage } from '@stechuhr/bus';
import { streams, subscriptions } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const MIB = 1_048_576;
const DAY_MS = 86_400_000;

describe('settings of streams', () => {
  const settingsOf = (text: string) => streamSettingsFromEnvironment({ NATS_STREAMS: text });

  it('are sizes and ages by the names of the catalogue', () => {
    const { limits } = settingsOf('{"events":{"maxBytes":"20Gi","maxAgeDays":7},"jobs":{"maxBytes":"64Mi"}}');
    expect(Object.fromEntries(limits)).toEqual({
      STECHUHR_EVENTS: { maxBytes: 20 * 1_024 * MIB, maxAgeMs: 7 * DAY_MS },
      STECHUHR_JOBS: { maxBytes: 64 * MIB },
    });
    expect(settingsOf('{"events":{"partitions":16,"maxAgeDays":7},"ingest":{"partitions":2}}')).toEqual({
      limits: new Map([
        [streams.events.name, { maxAgeMs: 7 * DAY_MS }],
        [streams.ingest.name, {}],
      ]),
      partitions: { events: 16, ingest: 2 },
    });
    expect(streamSettingsFromEnvironment({ NATS_STREAMS: '', NATS_REPLICAS: '3' })).toEqual({ replicas: 3, limits: new Map() });
  });

  it.each([
    ['no JSON', /JSON object/],
    ['[]', /JSON object/],
    ['{"events":7}', /JSON object/],
    ['{"event":{}}', /names event/],
    ['{"events":{"maxBytes":"1G"}}', /Mi, Gi or Ti/],
    ['{"events":{"maxBytes":"0Mi"}}', /Mi, Gi or Ti/],
    ['{"events":{"maxAgeDays":0.5}}', /1 to 3660/],
    ['{"events":{"maxAge":1}}', /no maxAge/],
    ['{"events":{"partitions":3}}', /power of two from 1 to 16/],
    ['{"events":{"partitions":"4"}}', /power of two/],
    ['{"events":{"partitions":32}}', /power of two/],
    ['{"ingest":{"partitions":6}}', /of ingest in NATS_STREAMS must be a power of two/],
    ['{"ingest":{"partitions":2,"maxAgeDays":7}}', /no age/],
    ['{"jobs":{"partitions":2}}', /only events, handovers, ingest have/],
    // It would remove what nobody has handled.
    ['{"deletions":{"maxAgeDays":7}}', /no age/],
  ])('are not %s', (text, problem) => {
    expect(() => settingsOf(text)).toThrow(problem);
  });
});

describe('subscribers', () => {
  const subscribersOf = (text: string) => streamSettingsFromEnvironment({ NATS_SUBSCRIBERS: text }).subscribers;
  const institution = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';

  it('are users with the events that they may consume, of one institution or of all', () => {
    const listed = [
      { user: 'payroll-mirror', events: ['records.workday.*', 'records.absence.*'], institution },
      { user: 'audit', events: ['*.*.*'] },
    ];
    expect(subscribersOf(JSON.stringify(listed))).toEqual(listed);
    expect(streamSettingsFromEnvironment({ NATS_SUBSCRIBERS: '[]' })).toEqual({ limits: new Map() });
  });

  it.each([
    ['{}', 'NATS_SUBSCRIBERS must be a JSON array'],
    ['no JSON', 'NATS_SUBSCRIBERS must be a JSON array'],
    ['["audit"]', 'NATS_SUBSCRIBERS[0] must be a JSON object'],
    ['[{"user":7,"events":["*.*.*"]}]', 'user has to be a text'],
    ['[{"user":"a.b","events":["*.*.*"]}]', 'user has to be small letters, digits and hyphens'],
    ['[{"user":"audit","events":"*.*.*"}]', 'events have to be a list'],
    ['[{"user":"audit","events":[]}]', 'events are none'],
    ['[{"user":"audit","events":["records.workdays.*"]}]', 'there are no events records.workdays.*'],
    ['[{"user":"audit","events":["records.>"]}]', 'there are no events records.>'],
    [
      '[{"user":"audit","events":["records.*.changed","records.workday.*"]}]',
      'records.*.changed and records.workday.* have some in common',
    ],
    ['[{"user":"audit","events":["*.*.*"],"institution":"*"}]', 'institution has to be the id of one'],
    ['[{"user":"audit","events":["*.*.*"],"kinds":[]}]', 'NATS_SUBSCRIBERS[0] has no kinds'],
    ['[{"user":"audit","events":["*.*.*"]},{"user":"audit","events":["*.*.*"]}]', 'two with the user audit'],
  ])('are not %s', (text, problem) => {
    expect(() => subscribersOf(text)).toThrow(problem);
  });
});

describe('a stream', () => {
  let nats: Awaited<ReturnType<typeof startNats>>;
  let connection: NatsConnection;
  let manager: JetStreamManager;

  beforeAll(async () => {
    nats = await startNats({ own: true });
    connection = await connect({ servers: nats.address });
    manager = await jetstreamManager(connection);
  });
  afterAll(async () => {
    await connection.close();
    await nats.stop();
  });

  it('is as the settings say when it is created and after an upgrade, and no start of a service changes it', async () => {
    const { name } = streams.events;
    const limits = async () => {
      const { max_bytes, max_age } = (await manager.streams.info(name)).config;
      return { max_bytes, max_age };
    };
    const wanted = (maxBytes: number, days: number) => ({
      limits: new Map([[name, { maxBytes: maxBytes * MIB, maxAgeMs: days * DAY_MS }]]),
    });
    const kept = (maxBytes: number, days: number) => ({ max_bytes: maxBytes * MIB, max_age: nanos(days * DAY_MS) });
    const options = { servers: nats.address, name: 'settings', logger: silent };
    const start = async (maxBytes: number, days: number) => {
      const bus = await connectBus({ ...options, settings: wanted(maxBytes, days) });
      await bus.ensureStreams();
      await bus.close();
    };
    await start(20, 3);
    expect(await limits()).toEqual(kept(20, 3));
    await manager.streams.update(name, kept(30, 4));
    await start(40, 5);
    expect(await limits()).toEqual(kept(30, 4));
    await prepareBus({ ...options, settings: { limits: new Map() } });
    expect(await limits()).toEqual(kept(30, 4));
    await prepareBus({ ...options, settings: wanted(40, 5) });
    expect(await limits()).toEqual(kept(40, 5));
  });
});

describe('a consumer', () => {
  let nats: Awaited<ReturnType<typeof startNats>>;

  beforeAll(async () => {
    nats = await startNats({ own: true });
  });
  afterAll(async () => {
    delete process.env['NATS_ACK_WAIT_SECONDS'];
    await nats.stop();
  });

  it.each(['that is prepared', 'that a process creates as it uses it'])(
    '%s gets the current ack wait, and keeps its position',
    async (how) => {
      const connection = await connect({ servers: nats.address });
      const manager = await jetstreamManager(connection);
      const bus = await connectBus({ servers: nats.address, name: 'settings', logger: silent });
      await bus.ensureStreams();
      const line = subscriptions.find(({ stream }) => stream === streams.jobs.name);
      if (line === undefined) throw new Error('nobody takes jobs');
      const { stream, durable, filterSubject } = line;
      const subject = filterSubject.replace('*', randomUUID());
      const seen: string[] = [];
      const handler = async (message: BusMessage) => void seen.push(message.text());
      const use = async (seconds: number, text: string) => {
        process.env['NATS_ACK_WAIT_SECONDS'] = String(seconds);
        if (how === 'that is prepared') await prepareBus({ servers: nats.address, name: 'prepare', logger: silent });
        const consumption = bus.consume({ stream, durable, filterSubject, concurrency: 1, maxAttempts: 1, deadLetter: 'test', handler });
        await bus.publish(subject, text);
        await waitFor(() => seen.includes(text));
        await consumption.stop();
        return (await manager.consumers.info(stream, durable)).config.ack_wait;
      };
      expect([await use(30, `${how} 1`), await use(60, `${how} 2`)]).toEqual([nanos(30_000), nanos(60_000)]);
      expect(seen).toEqual([`${how} 1`, `${how} 2`]);
      await bus.close();
      await connection.close();
    },
  );
});
