import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PROVISIONING_LOCK, streams as catalogue } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import { alone } from '../src/provisioning-lock.js';

const FORGOTTEN_AFTER_MS = 1_000;

let home: string;
let nats: Awaited<ReturnType<typeof startNats>>;
let connection: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'provisioning-lock-'));
  nats = await startNats({ home, own: true });
  connection = await connect({ servers: nats.address });
  manager = await jetstreamManager(connection);
  await manager.streams.add({ name: catalogue.events.name, subjects: ['stechuhr.events.>'] });
});
beforeEach(async () => {
  await describeAs('before');
});
afterAll(async () => {
  await connection.close();
  await nats.stop();
  await rm(home, { recursive: true });
});

const describeAs = (description: string) => manager.streams.update(catalogue.events.name, { description });
const description = async () => (await manager.streams.info(catalogue.events.name)).config.description;

async function isTaken(): Promise<boolean> {
  for await (const { name } of manager.consumers.list(catalogue.events.name)) if (name === PROVISIONING_LOCK) return true;
  return false;
}

describe('the lock of who changes streams', () => {
  it('is held for as long as there are writes, and then by the next', async () => {
    const order: string[] = [];
    const first = alone(
      manager,
      'start',
      async ({ streams }) => {
        const endsAt = performance.now() + 3 * FORGOTTEN_AFTER_MS;
        while (performance.now() < endsAt) await streams.update(catalogue.events.name, { description: 'first' });
        order.push('first');
      },
      FORGOTTEN_AFTER_MS,
    );
    await waitFor(isTaken);
    await alone(manager, 'start', async () => void order.push('second'));
    await first;
    expect(order).toEqual(['first', 'second']);
    expect(await isTaken()).toBe(false);
  });

  it('lets a process write nothing that stood still for too long, and take nothing from the next', async () => {
    const taken = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    const first = alone(
      manager,
      'start',
      async ({ streams }) => {
        await taken.promise;
        await streams.update(catalogue.events.name, { description: 'first' });
      },
      FORGOTTEN_AFTER_MS,
    );
    await waitFor(isTaken);
    const second = alone(manager, 'start', async ({ streams }) => {
      taken.resolve();
      await refused.promise;
      await streams.update(catalogue.events.name, { description: 'second' });
    });
    await expect(first).rejects.toMatchObject({ code: 'unavailable' });
    expect([await description(), await isTaken()]).toEqual(['before', true]);
    refused.resolve();
    await second;
    expect([await description(), await isTaken()]).toEqual(['second', false]);
  });

  it('lets a process add no stream that stood still for too long', async () => {
    const added = alone(
      manager,
      'start',
      async ({ streams }) => {
        await waitFor(async () => !(await isTaken()));
        await streams.add({ name: 'LATE', subjects: ['late'] });
      },
      FORGOTTEN_AFTER_MS,
    );
    await expect(added).rejects.toMatchObject({ code: 'unavailable' });
    await expect(manager.streams.info('LATE')).rejects.toThrow('stream not found');
  });
});
