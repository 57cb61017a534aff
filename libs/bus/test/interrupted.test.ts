import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createNoopMeter, metrics, type Meter, type ObservableCallback } from '@opentelemetry/api';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';

/** What is observed of each gauge. */
const gauges = new Map<string, Set<ObservableCallback>>();
const meter: Meter = Object.assign(createNoopMeter(), {
  createObservableGauge(name: string) {
    const callbacks = new Set<ObservableCallback>();
    gauges.set(name, callbacks);
    return {
      addCallback: (callback: ObservableCallback) => void callbacks.add(callback),
      removeCallback: (callback: ObservableCallback) => void callbacks.delete(callback),
    };
  },
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// It takes the provider that is there when it is loaded.
const { connectBus, prepareBus, SLOT_MAPPING } = await import('../src/index.js');

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const STREAM = { name: 'INTERRUPTED', subjects: ['interrupted.>'] };

let nats: Awaited<ReturnType<typeof startNats>>;
let admin: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  nats = await startNats({ own: true });
  admin = await connect({ servers: nats.address });
  manager = await jetstreamManager(admin);
});
afterAll(async () => {
  await admin.close();
  await nats.stop();
  metrics.disable();
});

/** The value of each durable, or of whatever has none. */
async function observed(gauge = 'stechuhr.bus.interrupted'): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const observe = (value: number, attributes: { readonly durable?: string } = {}) => {
    found[attributes.durable ?? 'all'] = value;
  };
  for (const callback of gauges.get(gauge) ?? []) await callback({ observe });
  return found;
}

it('a consumer says that it cannot take messages, and that it can again', async () => {
  const bus = await connectBus({ servers: nats.address, name: 'interrupted', logger: silent });
  const [{ name: stream }, handled] = [STREAM, [] as string[]];
  const consumption = bus.consume({
    stream,
    durable: 'watched',
    filterSubject: 'interrupted.a',
    concurrency: 1,
    maxAttempts: 1,
    deadLetter: 'interrupted',
    handler: async (message) => void handled.push(message.subject),
  });
  await waitFor(async () => (await observed())['watched'] === 1);
  for (const round of [1, 2]) {
    await manager.streams.add(STREAM);
    await waitFor(async () => (await observed())['watched'] === 0);
    await bus.publish('interrupted.a', '{}');
    await waitFor(() => handled.length === round);
    await manager.streams.delete(stream);
    await waitFor(async () => (await observed())['watched'] === 1);
  }
  await consumption.stop();
  expect(await observed()).toEqual({});
  await bus.close();
});

it('NATS refuses live objects if they have partitions and it adds no slots', async () => {
  const refused = () => observed('stechuhr.bus.live_objects_refused');
  const limits = new Map(Object.values(streams).map(({ name }) => [name, { maxBytes: 32 * 1_048_576 }]));
  const home = await mkdtemp(path.join(tmpdir(), 'refused-'));
  const start = async (configuration: string, partitions: number) => {
    const server = await startNats({ home, own: true, configuration });
    const settings = { limits, partitions: { ingest: partitions } };
    const options = { servers: server.address, name: 'refused', logger: silent, settings };
    await prepareBus(options);
    const bus = await connectBus(options);
    await bus.ensureStreams();
    return async () => {
      await bus.close();
      await server.stop();
    };
  };
  try {
    for (const [configuration, partitions, value] of [
      ['# no mapping', 1, 0],
      [SLOT_MAPPING, 2, 0],
      ['# no mapping', 2, 1],
    ] as const) {
      const stop = await start(configuration, partitions);
      expect(await refused().finally(stop)).toEqual({ all: value });
    }
  } finally {
    await rm(home, { recursive: true });
  }
});
