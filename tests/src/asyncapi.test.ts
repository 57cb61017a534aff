import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { connectBus, createEvent, prepareBus, type Bus } from '@stechuhr/bus';
import { eventSubject, events, slotOf, streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { Ajv } from 'ajv';
import { runSubscriber, type Subscription } from './support/subscriber.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe('docs/asyncapi.json', () => {
  const document = JSON.parse(readFileSync(join(ROOT, 'docs/asyncapi.json'), 'utf8')) as {
    readonly channels: Readonly<Record<string, { readonly address: string }>>;
  };

  it('is valid according to the JSON schema of AsyncAPI 3', () => {
    const schema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.1.0-without-$id.json') as object;
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('has a channel for every event of the catalogue', () => {
    const addresses = Object.values(document.channels).map(({ address }) => address);
    for (const { type } of events) expect(addresses).toContain(`stechuhr.events.{institution}.${type}`);
  });
});

describe('the README of a service', () => {
  const taken = events.flatMap(({ type, consumers }) => consumers.map((service) => [service, type] as const));

  it.each(taken)('of %s names the event that it consumes: %s', (service, type) => {
    expect(readFileSync(join(ROOT, `services/${service}/README.md`), 'utf8')).toContain(`\`${type}\``);
  });
});

describe('docs/subscriber.mjs', () => {
  const EMPLOYEE = '7f1d5b3a-2c4e-4f6a-8b0d-9e1c3a5f7b22';
  const institutionId = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
  const workday = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const running: ChildProcess[] = [];
  let servers: TestServers;
  let bus: Bus;

  beforeAll(async () => {
    servers = await testServers();
    bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger: silent });
    await bus.ensureStreams();
  });

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await bus.close();
    await servers.stop();
  });

  async function publish(n: number, moved: object = {}, to = bus, institution = institutionId): Promise<void> {
    const type = 'records.workday.changed';
    const data = { id: workday(n), employee_id: EMPLOYEE, date: '2026-04-01', ...moved };
    const event = createEvent({ type, institutionId: institution, data, clock: { now: () => Date.UTC(2026, 0, 1) } });
    await to.publish(eventSubject(institution, type), JSON.stringify(event), { msgId: event.id });
  }

  function subscribe(natsUrl = servers.natsUrl): Subscription {
    const subscription = runSubscriber({ NATS_URL: natsUrl });
    running.push(subscription.child);
    return subscription;
  }

  it(`resumes after it was killed, in ${streams.events.name}`, async () => {
    await publish(1);
    const first = subscribe();
    await waitFor(() => first.seen.includes(workday(1)) || undefined);
    await publish(2, { previous: { employee_id: EMPLOYEE, date: '2026-03-31' } });
    // A moved workday changes two days.
    for (const day of ['2026-03-31', '2026-04-01']) {
      await waitFor(() => first.days.includes(`${EMPLOYEE} ${day} ${day} ${workday(2)}`) || undefined);
    }
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await publish(3);
    const second = subscribe();
    // The server may have sent the event to the killed subscriber; then it redelivers it after the acknowledgement timeout of 30 s.
    await waitFor(() => second.seen.includes(workday(3)) || undefined);
    // The last event shown may not have been acknowledged before the crash. Earlier ones are not repeated, and none is missing.
    expect(second.seen).not.toContain(workday(1));
    expect([...new Set([...first.seen, ...second.seen])]).toEqual([workday(1), workday(2), workday(3)]);
    second.child.kill('SIGTERM');
    expect((await once(second.child, 'exit'))[0]).toBe(0);
  });

  it('receives the events of all partitions, including partitions added while it runs', async () => {
    const nats = await startNats({ own: true });
    const options = { servers: nats.address, name: 'test', logger: silent };
    const limits = new Map([[streams.events.name, { maxBytes: 64 * 1_048_576 }]]);
    await prepareBus({ ...options, settings: { limits } });
    const { child, seen } = subscribe(nats.address);
    const first = await connectBus(options);
    await publish(1, {}, first);
    await waitFor(() => seen.includes(workday(1)));
    await prepareBus({ ...options, settings: { limits, partitions: { events: 4 } } });
    const second = await connectBus(options);
    // One institution of each partition.
    const institutions = [institutionId, '7d9b0c52-6d0c-4a77-8a0e-5f4ac1f2f6b1', '11111111-1111-4111-8111-11111111111a', workday(3)];
    expect(institutions.map((id) => slotOf(id) % 4)).toEqual([1, 2, 3, 0]);
    for (const [index, institution] of institutions.entries()) await publish(2 + index, {}, second, institution);
    await waitFor(() => [2, 3, 4, 5].every((n) => seen.includes(workday(n))));
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5].map(workday));
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    await Promise.all([first, second].map((each) => each.close()));
    await nats.stop();
  });

  it('continues after the server has lost the stream and the consumer', async () => {
    const nats = await startNats({ own: true });
    const options = { servers: nats.address, name: 'test', logger: silent };
    await prepareBus(options);
    const { child, seen } = subscribe(nats.address);
    const before = await connectBus(options);
    await publish(1, {}, before);
    await waitFor(() => seen.includes(workday(1)));
    const connection = await connect({ servers: nats.address });
    await (await jetstreamManager(connection)).streams.delete(streams.events.name);
    await prepareBus(options);
    await publish(2, {}, before);
    await waitFor(() => seen.includes(workday(2)));
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    await Promise.all([before.close(), connection.close()]);
    await nats.stop();
  });
});
