import { connect, PermissionViolationError, TimeoutError } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, prepareBus } from '@stechuhr/bus';
import { startNats } from '@stechuhr/local-infra';
import { openTcpGate, waitFor } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const PERMISSIONS = '{ publish: { deny: "stechuhr.jobs.forbidden" } }';

let nats: Awaited<ReturnType<typeof startNats>>;
let gate: Awaited<ReturnType<typeof openTcpGate>>;

const connected = () => connectBus({ servers: `nats://own:secret@${gate.address}`, name: 'publisher', logger: silent });

beforeAll(async () => {
  const user = `authorization { users: [{ user: own, password: secret, permissions: ${PERMISSIONS} }] }\n`;
  nats = await startNats({ own: true, configuration: user });
  gate = await openTcpGate(new URL(nats.address).host);
  const servers = `nats://own:secret@${gate.address}`;
  await prepareBus({ servers, provisioning: servers, name: 'publisher', logger: silent });
});

afterAll(async () => {
  await gate.stop();
  await nats.stop();
});

describe('a message', () => {
  it('is refused at once where the user may not publish it, and others are not', async () => {
    const bus = await connected();
    const subjects = ['stechuhr.jobs.allowed', 'stechuhr.jobs.forbidden', 'stechuhr.jobs.allowed'];
    const results = await Promise.allSettled(subjects.map((subject) => bus.publish(subject, 'x')));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'unavailable', cause: expect.any(PermissionViolationError) } });
    await bus.close();
  });

  it('is given up if it is not acknowledged in time, and only then', async () => {
    const bus = await connected();
    await bus.publish('stechuhr.jobs.allowed', 'before');
    gate.hold('answers');
    const begunAt = performance.now();
    await expect(bus.publish('stechuhr.jobs.allowed', 'held')).rejects.toMatchObject({
      code: 'unavailable',
      cause: expect.any(TimeoutError),
    });
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(4_999);
    gate.release();
    // The late acknowledgement belongs to no message any more.
    await bus.publish('stechuhr.jobs.allowed', 'after');
    await bus.close();
  });

  it('is not acknowledged by a subscriber that answers it, whatever the answer, and others still are by their stream', async () => {
    const answers = ['thanks', 'null', '{"answer":"thanks"}', '{"error":"thanks"}'];
    const subscriber = await connect({ servers: nats.address, user: 'own', pass: 'secret' });
    // No stream has this subject, so the answers of the subscriber are the only ones.
    const messages = subscriber.subscribe('stechuhr.unknown', { max: answers.length });
    await subscriber.flush();
    const bus = await connected();
    const published = Promise.allSettled(answers.map(() => bus.publish('stechuhr.unknown', 'x')));
    for await (const message of messages) message.respond(answers.shift());
    await subscriber.flush();
    await bus.publish('stechuhr.jobs.allowed', 'after');
    for (const result of await published)
      expect(result).toMatchObject({ reason: { code: 'unavailable', cause: expect.any(TimeoutError) } });
    await bus.close();
    await subscriber.close();
  });

  it('is given up when the connection is closed', async () => {
    const bus = await connected();
    await bus.publish('stechuhr.jobs.allowed', 'before');
    gate.hold('requests');
    const published = bus.publish('stechuhr.jobs.allowed', 'lost').catch((caught: unknown) => caught);
    await waitFor(() => gate.heldBytes > 0);
    await bus.close();
    expect(await published).toMatchObject({ code: 'unavailable' });
    gate.release();
  });
});
