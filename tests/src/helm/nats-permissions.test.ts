import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, prepareBus, type Bus } from '@stechuhr/bus';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectTo } from '@nats-io/transport-node';
import {
  events,
  eventSubject,
  handOverSubject,
  ingestSubject,
  partitionedStreams,
  slotOf,
  slotsOf,
  streams,
  subscriptions,
} from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import { openChart } from './chart.js';
import { startChartNats, type ChartNats } from './chart-nats.js';

const INSTITUTION = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
const OTHER_INSTITUTION = '7d9b0c52-6d0c-4a77-8a0e-5f4ac1f2f6b1';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let server: ChartNats;
const buses: Bus[] = [];

beforeAll(async () => {
  const chart = await openChart();
  server = await startChartNats(await chart.render('development.yaml'));
  await chart.close();
  await prepareBus({ servers: server.urlOf('tasks'), provisioning: server.urlOf('provisioner'), name: 'tasks', logger: silent });
});

afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await server.stop();
});

async function connect(user: string): Promise<Bus> {
  const bus = await connectBus({ servers: server.urlOf(user), name: user, logger: silent });
  await waitFor(() => bus.isConnected() || undefined);
  buses.push(bus);
  return bus;
}

/** Returns the messages that a consumer receives within a short time. */
async function taken(
  bus: Bus,
  line: { readonly stream: string; readonly durable: string; readonly filterSubject: string },
  until: () => Promise<void>,
) {
  const seen: string[] = [];
  const consumption = bus.consume({
    ...line,
    concurrency: 1,
    maxAttempts: 1,
    deadLetter: 'test',
    handler: async (message) => void seen.push(message.text()),
  });
  await until();
  return { seen, stop: () => consumption.stop() };
}

describe('NATS users', () => {
  it.each(subscriptions.map((line) => [line.durable, line] as const))(
    'let the service consume %s, and its publishers publish to it',
    async (_durable, line) => {
      const [publisher = 'toolbox'] = line.publishers;
      const [from, to] = await Promise.all([connect(publisher), connect(line.service)]);
      const rest = line.stream === streams.events.name ? `${publisher}.employee.changed` : 'employee';
      const subject = line.filterSubject.replace('*', INSTITUTION).replace('>', `${INSTITUTION}.${rest}`);
      const { seen, stop } = await taken(to, line, () => from.publish(subject, 'hello'));
      await waitFor(() => seen.includes('hello') || undefined);
      await stop();
    },
  );

  it('do not let a service publish events of another service', async () => {
    const reviews = await connect('reviews');
    await expect(reviews.publish(`stechuhr.events.${INSTITUTION}.records.employee.deleted`, '{}')).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(reviews.publish('stechuhr.jobs.export', '{}')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(reviews.publish(`stechuhr.events.${INSTITUTION}.reviews.review.ran`, '{}')).resolves.toBeUndefined();
  });

  it('do not let a service consume messages of another service', async () => {
    const [tasks, reviews] = await Promise.all([connect('tasks'), connect('reviews')]);
    await tasks.publish('stechuhr.jobs.export', 'job');
    const stolen = await taken(
      reviews,
      { stream: streams.jobs.name, durable: 'worker-export', filterSubject: 'stechuhr.jobs.export' },
      async () => {
        const worker = await connect('worker');
        const own = await taken(
          worker,
          { stream: streams.jobs.name, durable: 'worker-export', filterSubject: 'stechuhr.jobs.export' },
          async () => {},
        );
        await waitFor(() => own.seen.includes('job') || undefined);
        await own.stop();
      },
    );
    expect(stolen.seen).toEqual([]);
    await stolen.stop();
  });

  it('let an external publisher publish only for its institution', async () => {
    const erp = await connect('erp');
    await expect(erp.publish(ingestSubject(INSTITUTION, 'employee'), '{}')).resolves.toBeUndefined();
    await expect(erp.publish(ingestSubject(OTHER_INSTITUTION, 'employee'), '{}')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(erp.publish(`stechuhr.events.${INSTITUTION}.records.employee.changed`, '{}')).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('require a password', async () => {
    const bus = await connectBus({ servers: server.urlOf('records').replace(/:[^:@]+@/, ':guess@'), name: 'guess', logger: silent });
    await expect(bus.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await bus.close();
  });
});

describe('NATS users with four partitions', () => {
  const partitionOf = (institution: string): number => slotOf(institution) % 4;
  // One institution of each partition: their slots are 1, 6, 51 and 60.
  const institutions = [INSTITUTION, OTHER_INSTITUTION, '11111111-1111-4111-8111-11111111111a', '00000000-0000-4000-8000-000000000003'];

  beforeAll(async () => {
    const settings = { limits: new Map(), partitions: { events: 4, handovers: 4, ingest: 4 } };
    await prepareBus({
      servers: server.urlOf('tasks'),
      provisioning: server.urlOf('provisioner'),
      name: 'tasks',
      logger: silent,
      settings,
    });
  });

  it('may publish and consume events in each partition', async () => {
    expect(institutions.map(partitionOf).sort()).toEqual([0, 1, 2, 3]);
    const webhooks = await connect('webhooks');
    const seen: string[] = [];
    const consumption = webhooks.consume({
      ...{ stream: streams.events.name, durable: 'webhooks-events', filterSubject: 'stechuhr.events.>', concurrency: 1, maxAttempts: 1 },
      ...{ deadLetter: 'webhooks', handler: async ({ subject }) => void seen.push(subject) },
    });
    const sent: string[] = [];
    for (const service of new Set(events.map(({ type }) => type.split('.')[0] ?? ''))) {
      const bus = await connect(service);
      const type = events.find((event) => event.type.startsWith(`${service}.`))?.type ?? 'records.employee.changed';
      for (const institution of institutions) {
        const subject = eventSubject(institution, type);
        await bus.publish(subject, '{}');
        sent.push(subject);
      }
    }
    await waitFor(() => sent.every((subject) => seen.includes(subject)));
    await consumption.stop();
    const toolbox = await connectTo(optionsOf('toolbox'));
    const manager = await jetstreamManager(toolbox, { checkAPI: false });
    for (const institution of institutions) {
      const { state } = await manager.streams.info(partitionedStreams.events.stream(partitionOf(institution)), {
        subjects_filter: `stechuhr.events.${institution}.>`,
      });
      expect(Object.keys(state.subjects ?? {}).length).toBeGreaterThanOrEqual(8);
    }
    await toolbox.close();
  });

  it('may publish live objects for their institution, which the server distributes, and consume them from each partition', async () => {
    const [erp, toolbox, records] = await Promise.all(['erp', 'toolbox', 'records'].map(connect));
    const seen: string[] = [];
    const consumption = records?.consume({
      ...{ stream: streams.ingest.name, durable: 'records', filterSubject: 'stechuhr.ingest.>', concurrency: 1, maxAttempts: 1 },
      ...{ deadLetter: 'ingest', handler: async ({ subject, stream }) => void seen.push(`${subject} ${stream}`) },
    });
    await erp?.publish(ingestSubject(INSTITUTION, 'project'), '{}');
    for (const institution of institutions) await toolbox?.publish(ingestSubject(institution, 'department'), '{}');
    const expected = institutions.map(
      (institution) => `${ingestSubject(institution, 'department')} ${partitionedStreams.ingest.stream(partitionOf(institution))}`,
    );
    expected.push(`${ingestSubject(INSTITUTION, 'project')} ${partitionedStreams.ingest.stream(partitionOf(INSTITUTION))}`);
    await waitFor(() => expected.every((one) => seen.includes(one)));
    await consumption?.stop();
  });

  it('may hand objects over and consume them in each partition', async () => {
    const { handovers } = partitionedStreams;
    const [records, reviews] = await Promise.all([connect('records'), connect('reviews')]);
    const seen: string[] = [];
    const consumption = reviews.consume({
      ...{ stream: streams.handovers.name, durable: 'reviews-settings', filterSubject: handOverSubject('*', 'review_settings') },
      ...{ concurrency: 1, maxAttempts: 1, deadLetter: 'ingest' },
      handler: async ({ subject, stream }) => void seen.push(`${subject} ${stream}`),
    });
    for (const institution of institutions) await records.publish(handOverSubject(institution, 'review_settings'), '{}');
    const expected = institutions.map(
      (institution) => `${handOverSubject(institution, 'review_settings')} ${handovers.stream(partitionOf(institution))}`,
    );
    await waitFor(() => expected.every((one) => seen.includes(one)));
    await consumption.stop();
  });

  it('get partitions back that a version without partitions removed, from the service that may create them', async () => {
    const tasks = await connectBus({
      ...{ servers: server.urlOf('tasks'), provisioning: server.urlOf('provisioner'), name: 'tasks', logger: silent },
    });
    buses.push(tasks);
    await tasks.ensureStreams();
    const provisioner = await connectTo(optionsOf('provisioner'));
    const manager = await jetstreamManager(provisioner, { checkAPI: false });
    await manager.streams.update(partitionedStreams.events.stream(0), { subjects: ['stechuhr.events.>'] });
    const slots = async () =>
      partitionedStreams.events.slotsAmong((await manager.streams.info(partitionedStreams.events.stream(0))).config.subjects);
    await waitFor(async () => (await slots()).length > 0);
    expect(await slots()).toEqual(slotsOf(0, 4));
    await provisioner.close();
  });

  function optionsOf(user: string): { servers: string; user: string; pass: string; inboxPrefix: string } {
    const { username, password, host } = new URL(server.urlOf(user));
    return { servers: host, user: username, pass: password, inboxPrefix: `_INBOX_${username}` };
  }
});
