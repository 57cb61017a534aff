import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createNoopMeter, metrics, type Meter, type ObservableCallback } from '@opentelemetry/api';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startNats } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';

/** What is observed of the gauge of interrupted consumers. */
const callbacks = new Set<ObservableCallback>();
const gauge = {
  addCallback: (callback: ObservableCallback) => void callbacks.add(callback),
  removeCallback: (callback: ObservableCallback) => void callbacks.delete(callback),
};
const another = createNoopMeter().createObservableGauge('');
const meter: Meter = Object.assign(createNoopMeter(), {
  createObservableGauge: (name: string) => (name === 'stechuhr.bus.interrupted' ? gauge : another),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// It takes the provider that is there when it is loaded.
const { connectBus } = await import('../src/index.js');

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

/** The value of each durable. */
async function observed(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const observe = (value: number, attributes: object = {}) => {
    found[(attributes as { durable: string }).durable] = value;
  };
  for (const callback of callbacks) await callback({ observe });
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
