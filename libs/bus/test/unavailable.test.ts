import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, prepareBus } from '@stechuhr/bus';
import { ingestSubject, streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { openTcpGate, ownTime, waitFor, watchSubjects } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let nats: Awaited<ReturnType<typeof startNats>>;

beforeAll(async () => {
  nats = await startNats({ own: true });
});

afterAll(() => nats.stop());

describe('a bus without a server', () => {
  it('rejects publications, and catches up when the server comes', async () => {
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

  it.each([
    ['the provisioner', true],
    ['a process on a server without users', false],
  ])(
    'lets %s create the streams in the end where the first attempt fails, as with a cluster that is still forming',
    async (_, isProvisioner) => {
      const admin = await connect({ servers: nats.address });
      const manager = await jetstreamManager(admin);
      await manager.streams.delete(streams.jobs.name).catch(() => undefined);
      await manager.streams.add({ name: 'OTHER', subjects: ['stechuhr.jobs.>'] });
      const refused: unknown[] = [];
      const logger = { ...silent, warn: (fields: object) => void refused.push(fields) };
      const provisioning = isProvisioner ? nats.address : undefined;
      const bus = await connectBus({ servers: nats.address, provisioning, name: 'early', logger });
      await bus.ensureStreams();
      expect(refused).toHaveLength(1);
      await manager.streams.delete('OTHER');
      await waitFor(() => manager.streams.info(streams.jobs.name));
      await bus.close();
      await admin.close();
    },
  );

  it.each([
    ['the provisioner', true],
    ['a process on a server without users', false],
  ])('lets %s create the other streams if the server refuses one, as one for which it has no room', async (_, isProvisioner) => {
    const { jobs, deletions } = streams;
    const admin = await connect({ servers: nats.address });
    const manager = await jetstreamManager(admin);
    for (const { name } of [jobs, deletions]) await manager.streams.delete(name).catch(() => undefined);
    await manager.streams.add({ name: 'OTHER', subjects: ['stechuhr.jobs.>'] });
    const provisioning = isProvisioner ? nats.address : undefined;
    const bus = await connectBus({ servers: nats.address, provisioning, name: 'refused', logger: silent });
    await bus.ensureStreams();
    await expect(manager.streams.info(deletions.name)).resolves.toBeDefined();
    if (isProvisioner) await expect(manager.consumers.info(deletions.name, 'webhooks-institution-deletions')).resolves.toBeDefined();
    await manager.streams.delete('OTHER');
    await waitFor(() => manager.streams.info(jobs.name));
    if (isProvisioner) await waitFor(() => manager.consumers.info(jobs.name, 'worker-export'));
    await bus.close();
    await admin.close();
  });

  it('fails a preparation for which the server refuses a stream', async () => {
    const { jobs, deletions } = streams;
    const admin = await connect({ servers: nats.address });
    const manager = await jetstreamManager(admin);
    for (const { name } of [jobs, deletions]) await manager.streams.delete(name).catch(() => undefined);
    await manager.streams.add({ name: 'OTHER', subjects: ['stechuhr.jobs.>'] });
    await expect(prepareBus({ servers: nats.address, name: 'refused', logger: silent })).rejects.toThrow('overlap');
    await expect(manager.consumers.info(deletions.name, 'webhooks-institution-deletions')).resolves.toBeDefined();
    await manager.streams.delete('OTHER');
    await admin.close();
  });

  it('says once that a consumer is missing, not with each attempt', async () => {
    const said: unknown[] = [];
    const logger = { ...silent, warn: (fields: object) => void said.push(fields) };
    const bus = await connectBus({ servers: nats.address, name: 'consumer', logger });
    const attempts = await watchSubjects(nats.address, '$JS.API.CONSUMER.*.MISSING.>');
    const consumption = bus.consume({
      stream: 'MISSING',
      durable: 'missing',
      filterSubject: 'stechuhr.jobs.missing',
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'missing',
      handler: async () => undefined,
    });
    await waitFor(() => attempts.messages.length >= 3);
    expect(said).toMatchObject([{ durable: 'missing', interruptions: 1 }]);
    await consumption.stop();
    await attempts.stop();
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

describe('a bus whose server has gone', () => {
  it.each(['killed', 'held'] as const)('is closed all the same, %s', async (how) => {
    const gate = await openTcpGate(new URL(nats.address).host);
    const bus = await connectBus({ servers: `nats://${gate.address}`, name: 'left', logger: silent });
    await bus.ensureStreams();
    const consumption = bus.consume({
      stream: streams.jobs.name,
      durable: 'left',
      filterSubject: 'stechuhr.jobs.left',
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'left',
      handler: async () => undefined,
    });
    await waitFor(() => bus.ping().then(() => true));
    if (how === 'killed') {
      await gate.stop();
      await waitFor(() => !bus.isConnected());
    } else {
      gate.hold('answers');
      gate.hold('requests');
    }
    expect(await ownTime(async () => consumption.stop().then(() => bus.close()))).toBeLessThan(15_000);
    if (how === 'held') await gate.stop();
  });
});

describe('a server without TLS', () => {
  it('is refused where the address begins with tls://, with a sentence that says so', async () => {
    const options = { servers: nats.address.replace('nats://', 'tls://'), name: 'encrypted' };
    await expect(prepareBus({ ...options, logger: silent })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The server offers no TLS, and its address begins with tls://.'),
    });
    const warned: object[] = [];
    const bus = await connectBus({ ...options, logger: { ...silent, warn: (fields: object) => void warned.push(fields) } });
    expect(bus.isConnected()).toBe(false);
    expect(warned).toContainEqual({ err: expect.objectContaining({ message: expect.stringContaining('The server offers no TLS') }) });
    await expect(bus.publish('stechuhr.jobs.encrypted', 'x')).rejects.toMatchObject({ code: 'unavailable' });
    await bus.close();
  });
});

describe('a server that refuses the password', () => {
  it('is used again when it accepts it, however often it has refused it', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'nats-'));
    const folder = path.join(home, 'data/nats');
    await mkdir(folder, { recursive: true });
    const accept = (password: string) => writeFile(path.join(folder, 'user.conf'), `authorization { user: own, password: ${password} }`);
    await accept('right');
    const own = await startNats({ home, own: true, configuration: 'include "user.conf"\n' });
    const gate = await openTcpGate(new URL(own.address).host);
    const warned: string[] = [];
    const logger = { ...silent, warn: (_: object, message: string) => void warned.push(message) };
    const bus = await connectBus({ servers: `nats://own:right@${gate.address}`, name: 'refused', logger });
    await accept('another');
    await own.kill();
    const refused = new Set<number>();
    gate.inspect((direction, connection) => (direction === 'answers' && refused.add(connection), true));
    await own.restart();
    await waitFor(() => refused.size >= 4, { timeoutMs: 20_000 });
    expect(bus.isConnected()).toBe(false);
    await accept('right');
    await own.kill();
    await own.restart();
    await waitFor(() => bus.ping().then(() => true), { timeoutMs: 20_000 });
    // Not with each attempt.
    expect(warned).toEqual(['NATS is unavailable', 'NATS reports an error']);
    await bus.close();
    await gate.stop();
    await own.stop();
    await rm(home, { recursive: true });
  });
});

describe('a server that has lost its store', () => {
  it('gets its streams back while the services run, and continues above every sequence that it ever gave', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'nats-'));
    const own = await startNats({ home, own: true });
    const bus = await connectBus({ servers: own.address, name: 'lost', logger: silent });
    await bus.ensureStreams();
    const subject = ingestSubject(randomUUID(), 'department');
    const sequences: number[] = [];
    const consumption = bus.consume({
      stream: streams.ingest.name,
      durable: 'records',
      filterSubject: subject,
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'ingest',
      handler: async (message) => void sequences.push(message.streamSequence),
    });
    await bus.publish(subject, 'before');
    await waitFor(() => sequences.length === 1);
    await own.kill();
    await rm(path.join(home, 'data/nats/jetstream'), { recursive: true });
    await own.restart();
    await waitFor(() =>
      bus.publish(subject, 'after', { msgId: 'after' }).then(
        () => true,
        () => false,
      ),
    );
    await waitFor(() => sequences.length === 2);
    expect(sequences[1]).toBeGreaterThan(sequences[0] ?? Infinity);
    await consumption.stop();
    await bus.close();
    await own.stop();
    await rm(home, { recursive: true });
  });

  it('delivers new messages after it has lost the messages of a stream and their last sequence', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'nats-'));
    const own = await startNats({ home, own: true });
    const warned: object[] = [];
    const bus = await connectBus({
      ...{ servers: own.address, name: 'lost' },
      logger: { ...silent, error: (fields: object) => void warned.push(fields) },
    });
    await bus.ensureStreams();
    const seen: string[] = [];
    const consumption = bus.consume({
      stream: streams.jobs.name,
      durable: 'lost',
      filterSubject: 'stechuhr.jobs.lost',
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'lost',
      handler: async (message) => void seen.push(message.text()),
    });
    for (const text of ['first', 'second', 'third']) await bus.publish('stechuhr.jobs.lost', text);
    await waitFor(() => seen.length === 3);
    await own.stop();
    // The state after the disk was full: the consumer's position is known, and the stream begins again.
    await rm(path.join(home, 'data/nats/jetstream/$G/streams', streams.jobs.name, 'msgs'), { recursive: true });
    await own.restart();
    await waitFor(() =>
      bus.publish('stechuhr.jobs.lost', 'fourth').then(
        () => true,
        () => false,
      ),
    );
    await waitFor(() => seen.length === 4);
    expect(seen.at(-1)).toBe('fourth');
    expect(warned).toContainEqual({ stream: streams.jobs.name, durable: 'lost' });
    await consumption.stop();
    await bus.close();
    await own.stop();
    await rm(home, { recursive: true });
  });

  it('keeps nothing that was handled, where it could not be removed from its work queue', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'nats-'));
    const own = await startNats({ home, own: true });
    const [messages, aside] = [path.join(home, 'data/nats/jetstream/$G/streams', streams.jobs.name, 'msgs'), path.join(home, 'aside')];
    const warned: object[] = [];
    const logger = { ...silent, warn: (fields: object) => void warned.push(fields) };
    const bus = await connectBus({ servers: own.address, name: 'kept', logger });
    await bus.ensureStreams();
    for (const text of ['first', 'second']) await bus.publish('stechuhr.jobs.kept', text);
    await own.stop();
    await cp(messages, aside, { recursive: true });
    await own.restart();
    const seen: string[] = [];
    const consumption = bus.consume({
      stream: streams.jobs.name,
      durable: 'kept',
      filterSubject: 'stechuhr.jobs.kept',
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'kept',
      handler: async (message) => void seen.push(message.text()),
    });
    await waitFor(() => seen.length === 2);
    const held = async (): Promise<number> => {
      const connection = await connect({ servers: own.address });
      try {
        return (await (await jetstreamManager(connection)).streams.info(streams.jobs.name)).state.messages;
      } finally {
        await connection.close();
      }
    };
    await waitFor(async () => (await held()) === 0);
    await own.stop();
    // The state after the disk was full: the consumer has handled the messages, and the stream still contains them.
    await rm(messages, { recursive: true });
    await cp(aside, messages, { recursive: true });
    await own.restart();
    await waitFor(async () => (await held()) === 2);
    await waitFor(async () => (await held()) === 0);
    expect(seen).toEqual(['first', 'second', 'first', 'second']);
    expect(warned).toContainEqual({ stream: streams.jobs.name, durable: 'kept' });
    await consumption.stop();
    await bus.close();
    await own.stop();
    await rm(home, { recursive: true });
  });

  it('loses a stream alone, and has it again after the next publish', async () => {
    const own = await startNats({ own: true });
    const bus = await connectBus({ servers: own.address, name: 'lost', logger: silent });
    await bus.ensureStreams();
    const connection = await connect({ servers: own.address });
    await (await jetstreamManager(connection)).streams.delete(streams.events.name);
    await connection.close();
    const subject = `stechuhr.events.${randomUUID()}.records.employee.changed`;
    await expect(bus.publish(subject, '{}')).rejects.toMatchObject({ code: 'unavailable' });
    await waitFor(() =>
      bus.publish(subject, '{}').then(
        () => true,
        () => false,
      ),
    );
    await bus.close();
    await own.stop();
  });
});
