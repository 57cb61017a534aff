import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@stechuhr/bus';
import { streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let nats: Awaited<ReturnType<typeof startNats>>;

beforeAll(async () => {
  nats = await startNats({ own: true });
});

afterAll(() => nats.stop());

describe('a bus without a server', () => {
  it('refuses what is published, then does all it was asked for when the server comes', async () => {
    await nats.kill();
    const bus = await connectBus({ servers: nats.address, name: 'early', logger: silent });
    await expect(bus.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(bus.publish('stechuhr.jobs.early', 'x')).rejects.toMatchObject({ code: 'unavailable' });
    await bus.ensureStreams();
    const seen: string[] = [];
    const consumption = bus.consume({
      stream: streams.jobs.name,
      durable: 'early',
      filterSubject: 'stechuhr.jobs.early',
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'early',
      handler: async (message) => void seen.push(message.text()),
    });
    await nats.restart();
    await waitFor(() => bus.isConnected());
    await waitFor(() =>
      bus.publish('stechuhr.jobs.early', 'at last', { msgId: 'early' }).then(
        () => true,
        () => false,
      ),
    );
    await waitFor(() => seen.length > 0);
    expect(seen).toEqual(['at last']);
    await consumption.stop();
    await bus.close();
  });

  it('can be closed before it ever was connected, with its consumers', async () => {
    const bus = await connectBus({ servers: '127.0.0.1:1', name: 'never', logger: silent });
    const consumption = bus.consume({
      stream: streams.jobs.name,
      durable: 'never',
      filterSubject: 'stechuhr.jobs.never',
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'never',
      handler: async () => undefined,
    });
    await consumption.stop();
    await bus.close();
    expect(bus.isConnected()).toBe(false);
  });
});
