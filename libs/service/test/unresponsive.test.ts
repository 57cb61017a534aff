import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import {
  bidiStream,
  callUnary,
  checkReachable,
  createGrpcClient,
  isInterrupted,
  openBidi,
  readStream,
  serverStream,
  unary,
  type CallContext,
  type GrpcClientOptions,
} from '@stechuhr/service';
import { openTcpGate, ownTime } from '@stechuhr/testing';
import { accountRequest, serve } from './support.js';

const cleanups: (() => Promise<void> | void)[] = [];
const request = recordsV1.ListDepartmentsRequest.fromPartial({});
const message = (name: string) => recordsV1.ListDepartmentsResponse.fromPartial({ departments: [{ name }] });
const never = ({ signal }: CallContext) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** More than the failure may take, and far less than the 10 s and more that it used to take. */
const KNOWN_SOON_MS = 3_500;
const KNOWN_AT_FIRST_MS = 8_000;

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function served() {
  const server = await serve({
    getAccount: unary(async () => recordsV1.GetAccountResponse.fromPartial({})),
    listDepartments: serverStream(async function* (_request, call: CallContext) {
      yield message('a');
      await never(call);
    }),
    import: bidiStream(async function* () {}),
  });
  cleanups.push(() => server.stop());
  return server;
}

function clientOf(address: string): recordsV1.RecordsServiceClient {
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address);
  cleanups.push(() => client.close());
  return client;
}

const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject({ code: 'unavailable' });
const readAll = async (client: recordsV1.RecordsServiceClient) => {
  for await (const { departments } of readStream(client, client.listDepartments, request)) expect(departments).toHaveLength(1);
};

describe('a service that has stopped answering', () => {
  it('ends running calls, rejects new ones, and is used again at once', async () => {
    const { server } = await served();
    const gate = await openTcpGate(`127.0.0.1:${server.port}`);
    cleanups.push(() => gate.stop());
    const client = clientOf(gate.address);
    const get = (idempotent: boolean) => callUnary(client, client.getAccount, accountRequest('x'), { idempotent });
    await get(false);
    const reading = readAll(client);
    gate.hold('answers');
    gate.hold('requests');
    expect(await ownTime(() => refused(reading))).toBeLessThan(KNOWN_AT_FIRST_MS);
    expect(await ownTime(() => refused(get(false)))).toBeLessThan(KNOWN_SOON_MS);
    expect(await ownTime(() => refused(get(true)))).toBeLessThan(KNOWN_SOON_MS);
    expect(await ownTime(() => refused(readAll(client)))).toBeLessThan(KNOWN_SOON_MS);
    const { write } = openBidi(client, client.import);
    expect(await ownTime(() => refused(write({ lines: [] })))).toBeLessThan(KNOWN_SOON_MS);
    gate.release();
    expect(await ownTime(() => get(false))).toBeLessThan(1_000);
  });

  it('is unavailable also to the first call of a connection', async () => {
    const { server } = await served();
    const gate = await openTcpGate(`127.0.0.1:${server.port}`);
    cleanups.push(() => gate.stop());
    const get = (client: recordsV1.RecordsServiceClient) => callUnary(client, client.getAccount, accountRequest('x'));
    const clients = [clientOf(gate.address), clientOf(gate.address)] as const;
    await Promise.all(clients.map((client) => checkReachable(client)));
    gate.hold('answers');
    gate.hold('requests');
    const failures = Promise.all([refused(get(clients[0])), refused(readAll(clients[1]))]);
    expect(await ownTime(() => failures)).toBeLessThan(KNOWN_AT_FIRST_MS);
  });

  it.each(['EPIPE', 'EHOSTUNREACH', 'ENETDOWN', 'ECONNRESET', 'ETIMEDOUT'])(
    'is unavailable when its connection ends with %s',
    async (code) => {
      const { server } = await served();
      const sockets: Socket[] = [];
      const collect = (event: unknown) => void sockets.push((event as { readonly socket: Socket }).socket);
      subscribe('net.client.socket', collect);
      cleanups.push(() => void unsubscribe('net.client.socket', collect));
      const client = clientOf(`127.0.0.1:${server.port}`);
      const messages = readStream(client, client.listDepartments, request)[Symbol.asyncIterator]();
      await messages.next();
      const failure = messages.next().then(
        () => undefined,
        (caught: unknown) => AppError.from(caught),
      );
      // As Node does when the kernel reports the error.
      for (const socket of sockets) socket.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }));
      const error = await failure;
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(error && isInterrupted(error)).toBe(true);
    },
  );

  it('is found at its new address although the old one swallows connections', async () => {
    const { server } = await served();
    let connections = 0;
    const swallowing = createServer((socket) => {
      connections += 1;
      cleanups.push(() => void socket.destroy());
      socket.on('error', () => undefined);
      if (connections === 1) return;
      const far = connect(server.port, '127.0.0.1');
      socket.once('close', () => far.destroy());
      socket.pipe(far).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(swallowing, 'listening');
    cleanups.push(() => void swallowing.close());
    const client = clientOf(`127.0.0.1:${(swallowing.address() as AddressInfo).port}`);
    const get = () => callUnary(client, client.getAccount, accountRequest('x'));
    await refused(get());
    await get();
    expect(connections).toBe(2);
  });

  it('may be slow to accept a connection, within the limit of its client', async () => {
    const { server } = await served();
    const gate = await openTcpGate(`127.0.0.1:${server.port}`);
    cleanups.push(() => gate.stop());
    gate.hold('answers');
    const get = (options: GrpcClientOptions) => {
      const client = createGrpcClient(recordsV1.RecordsServiceClient, gate.address, options);
      cleanups.push(() => client.close());
      return callUnary(client, client.getAccount, accountRequest('x'));
    };
    const patient = get({ connectMs: 60_000 });
    await refused(get({}));
    gate.release();
    await patient;
  });

  it('ends running calls also if it had announced its stop', async () => {
    const { server } = await served();
    const gate = await openTcpGate(`127.0.0.1:${server.port}`);
    cleanups.push(() => gate.stop());
    const client = clientOf(gate.address);
    const messages = readStream(client, client.listDepartments, request)[Symbol.asyncIterator]();
    await messages.next();
    const stopped = server.stop();
    // The announcement has arrived when the client no longer uses the connection.
    await expect(callUnary(client, client.getAccount, accountRequest('x'))).rejects.toMatchObject({ code: 'unavailable' });
    gate.hold('answers');
    gate.hold('requests');
    expect(await ownTime(() => refused(messages.next()))).toBeLessThan(KNOWN_AT_FIRST_MS);
    await stopped;
  });
});

describe('a stream', () => {
  it('ends when it is silent for too long, not counting the reader’s own time', async () => {
    const { client } = await served();
    const messages = readStream(client, client.listDepartments, request, { stallMs: 1_000 })[Symbol.asyncIterator]();
    await messages.next();
    await delay(2_000);
    const asked = performance.now();
    await refused(messages.next());
    expect(performance.now() - asked).toBeGreaterThan(900);
  });

  it('ends when it is silent for too long in all, also if it is repeated meanwhile', async () => {
    const stallMs = 3_000;
    const calls: { readonly cancelled: Promise<number> }[] = [];
    const { server, client: unused } = await serve({
      listDepartments: serverStream(async function* (_request, call: CallContext) {
        calls.push({ cancelled: ownTime(() => never(call).catch(() => undefined)) });
        if (calls.length === 1) setTimeout(() => gate.reset(), stallMs / 2);
        yield await never(call);
      }),
    });
    const gate = await openTcpGate(`127.0.0.1:${server.port}`);
    cleanups.push(
      () => gate.stop(),
      () => server.stop(),
      () => unused.close(),
    );
    const client = clientOf(gate.address);
    await refused(Array.fromAsync(readStream(client, client.listDepartments, request, { stallMs })));
    expect(calls).toHaveLength(2);
    expect(await calls[1]?.cancelled).toBeLessThan(0.75 * stallMs);
  });

  it('is read to its end by a slow reader although the server stops meanwhile', async () => {
    const size = 60_000;
    const count = 12;
    const server = await serve({
      listDepartments: serverStream(async function* () {
        for (let sent = 0; sent < count; sent += 1) yield message('x'.repeat(size));
      }),
    });
    const client = clientOf(`127.0.0.1:${server.server.port}`);
    let read = 0;
    let stopped: Promise<void> | undefined;
    for await (const { departments } of readStream(client, client.listDepartments, request)) {
      expect(departments[0]?.name).toHaveLength(size);
      stopped ??= server.server.stop();
      read += 1;
      await delay(50);
    }
    expect(read).toBe(count);
    await stopped;
    server.client.close();
  });
});
