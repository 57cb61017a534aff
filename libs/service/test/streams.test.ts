import { afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { recordsV1 } from '@stechuhr/contracts';
import { AppError, createAnswerTurns } from '@stechuhr/kernel';
import {
  bidiStream,
  callUnary,
  createGrpcClient,
  isInterrupted,
  openBidi,
  readStream,
  serverStream,
  unary,
  type CallContext,
} from '@stechuhr/service';
import { openTcpGate, waitFor } from '@stechuhr/testing';
import { openProxy } from './open-proxy.js';
import { accountRequest, serve, type TestServer } from './support.js';

const servers: TestServer[] = [];
const request = recordsV1.ListDepartmentsRequest.fromPartial({});
const message = (name: string) => recordsV1.ListDepartmentsResponse.fromPartial({ departments: [{ name }] });
const progress = (lines: number) => recordsV1.ImportResponse.fromPartial({ event: { $case: 'progress', value: { lines } } });
const line = (json: string) => recordsV1.ImportRequest.fromPartial({ lines: [{ json }] });

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

type List = (call: CallContext) => AsyncIterable<recordsV1.ListDepartmentsResponse>;
type Import = (requests: AsyncIterable<recordsV1.ImportRequest>, call: CallContext) => AsyncIterable<recordsV1.ImportResponse>;

async function serveList(list: List): Promise<TestServer> {
  const server = await serve({ listDepartments: serverStream((_request, call: CallContext) => list(call)) });
  servers.push(server);
  return server;
}

async function serveImport(handler: Import): Promise<TestServer> {
  const server = await serve({ import: bidiStream(handler) });
  servers.push(server);
  return server;
}

/** Waits until a count grows no more, also on a busy machine. */
async function untilStill(count: () => number): Promise<void> {
  let before = -1;
  let looks = 0;
  await waitFor(() => {
    looks = count() === before ? looks + 1 : 0;
    before = count();
    return looks === 10;
  });
}

describe('a server that drains', () => {
  it('continues to send to a slow reader, up to the given time', async () => {
    let produced = 0;
    const { server, client } = await serveList(async function* () {
      for (; produced < 200; produced += 1) yield message('x'.repeat(64_000));
    });
    const iterator = readStream(client, client.listDepartments, request)[Symbol.asyncIterator]();
    await iterator.next();
    let isDrained = false;
    const drained = server.drain(600_000).then(() => (isDrained = true));
    await expect(callUnary(client, client.getAccount, accountRequest('a'))).rejects.toMatchObject({ code: 'unavailable' });
    expect({ isDrained, isComplete: produced === 200 }).toEqual({ isDrained: false, isComplete: false });
    let read = 1;
    while ((await iterator.next()).done !== true) read += 1;
    expect(read).toBe(200);
    await drained;
  });

  it('ends remaining calls then, and stops without waiting', async () => {
    const { server, client } = await serveList(async function* () {
      yield message('first');
      await new Promise(() => undefined);
    });
    const iterator = readStream(client, client.listDepartments, request)[Symbol.asyncIterator]();
    await iterator.next();
    const rest = iterator.next();
    await server.drain(1);
    const [outcome] = await Promise.allSettled([rest, server.stop()]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  });
});

describe('a call that ends the process of its service', () => {
  it.each(['unary', 'stream'])('is repeated once, so that it does not end all replicas: %s', async (type) => {
    let calls = 0;
    const end = (): Promise<never> => {
      calls += 1;
      gate.reset();
      return new Promise(() => undefined);
    };
    const server = await serve({
      getAccount: unary(end),
      listDepartments: serverStream(async function* () {
        yield await end();
      }),
    });
    servers.push(server);
    const gate = await openTcpGate(`127.0.0.1:${server.server.port}`);
    const client = createGrpcClient(recordsV1.RecordsServiceClient, gate.address);
    const call =
      type === 'unary'
        ? callUnary(client, client.getAccount, accountRequest('a'), { idempotent: true })
        : Array.fromAsync(readStream(client, client.listDepartments, request));
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(2);
    client.close();
    await gate.stop();
  });
});

describe('isInterrupted', () => {
  it.each<[string, boolean]>([
    ['after its first message', true],
    ['before its first message', false],
  ])('is a stream whose connection breaks %s, also if the service cannot be reached then', async (_when, hasBegun) => {
    let isCalled = false;
    const { server } = await serveList(async function* () {
      isCalled = true;
      if (hasBegun) yield message('first');
      await new Promise(() => undefined);
    });
    const gate = await openTcpGate(`127.0.0.1:${server.port}`);
    const client = createGrpcClient(recordsV1.RecordsServiceClient, gate.address);
    const iterator = readStream(client, client.listDepartments, request)[Symbol.asyncIterator]();
    if (hasBegun) await iterator.next();
    const broken = iterator.next().catch((caught: unknown) => AppError.from(caught));
    await waitFor(() => isCalled);
    await gate.stop();
    expect(isInterrupted((await broken) as AppError)).toBe(true);
    const refused = await callUnary(client, client.getAccount, accountRequest('a')).catch((caught: unknown) => AppError.from(caught));
    expect([refused, isInterrupted(refused as AppError)]).toEqual([expect.objectContaining({ code: 'unavailable' }), false]);
    client.close();
  });

  it.each([true, false])(
    'is a unary call whose connection breaks, also if it is repeated and the service cannot be reached then: %s',
    async (idempotent) => {
      let isCalled = false;
      const server = await serve({
        getAccount: unary(async () => {
          isCalled = true;
          return new Promise<never>(() => undefined);
        }),
      });
      servers.push(server);
      const gate = await openTcpGate(`127.0.0.1:${server.server.port}`);
      const client = createGrpcClient(recordsV1.RecordsServiceClient, gate.address);
      const broken = callUnary(client, client.getAccount, accountRequest('a'), { idempotent }).catch((caught: unknown) =>
        AppError.from(caught),
      );
      await waitFor(() => isCalled);
      await gate.stop();
      expect(isInterrupted((await broken) as AppError)).toBe(true);
      client.close();
    },
  );

  it('is an answer of a service whose own call was interrupted, but not of one that cannot reach another', async () => {
    let isCalled = false;
    const { server } = await serveList(async function* () {
      isCalled = true;
      yield message('first');
      await new Promise(() => undefined);
    });
    const gate = await openTcpGate(`127.0.0.1:${server.port}`);
    const behind = createGrpcClient(recordsV1.RecordsServiceClient, gate.address);
    const { client } = await serveList(({ signal }) => readStream(behind, behind.listDepartments, request, { signal }));
    const failure = async () => {
      const reading = Array.fromAsync(readStream(client, client.listDepartments, request));
      return AppError.from(await reading.catch((caught: unknown) => caught));
    };
    const broken = failure();
    await waitFor(() => isCalled);
    await gate.stop();
    const failures = [await broken, await failure()];
    expect(failures.map((error) => [error.code, isInterrupted(error)])).toEqual([
      ['unavailable', true],
      ['unavailable', false],
    ]);
    behind.close();
  });

  it('is not an answer of the service', async () => {
    const { client } = await serveList(async function* () {
      yield message('first');
      throw new AppError('unavailable', 'MongoDB is unavailable.');
    });
    const reading = Array.fromAsync(readStream(client, client.listDepartments, request));
    const failed = await reading.catch((caught: unknown) => AppError.from(caught));
    expect([failed, isInterrupted(failed as AppError)]).toEqual([expect.objectContaining({ code: 'unavailable' }), false]);
  });
});

describe('readStream', () => {
  it('reads all messages in order', async () => {
    const { client } = await serveList(async function* () {
      for (let index = 0; index < 500; index += 1) yield message(String(index));
    });
    const names: string[] = [];
    for await (const { departments } of readStream(client, client.listDepartments, request)) names.push(departments[0]?.name ?? '');
    expect(names).toEqual(Array.from({ length: 500 }, (_, index) => String(index)));
  });

  it('pauses the handler while nobody reads, and ends it when the reader leaves', async () => {
    let produced = 0;
    let ended = false;
    const { client } = await serveList(async function* () {
      try {
        for (; produced < 10_000; produced += 1) yield message('x'.repeat(64_000));
      } finally {
        ended = true;
      }
    });
    for await (const first of readStream(client, client.listDepartments, request)) {
      expect(first.departments).toHaveLength(1);
      await untilStill(() => produced);
      break;
    }
    await waitFor(() => ended);
    // What the connection takes, and a message or two on each side of it.
    expect(produced).toBeLessThan(10);
  });

  it('does not resume the handler after the reader has left', async () => {
    let produced = 0;
    let resumed = false;
    let ended = false;
    const { client } = await serveList(async function* ({ signal }) {
      try {
        for (; !signal.aborted; produced += 1) yield message('x'.repeat(64_000));
        resumed = true;
      } finally {
        ended = true;
      }
    });
    for await (const first of readStream(client, client.listDepartments, request)) {
      expect(first.departments).toHaveLength(1);
      await untilStill(() => produced);
      break;
    }
    await waitFor(() => ended);
    expect(resumed).toBe(false);
  });

  it('keeps only a few large messages in memory while nobody reads', async () => {
    let produced = 0;
    const { client } = await serveList(async function* () {
      for (; produced < 100; produced += 1) yield message('x'.repeat(4_000_000));
    });
    for await (const first of readStream(client, client.listDepartments, request)) {
      expect(first.departments).toHaveLength(1);
      await untilStill(() => produced);
      break;
    }
    expect(produced).toBeLessThan(6);
  });

  it('throws the error of the handler, after the messages before it', async () => {
    const { client } = await serveList(async function* () {
      yield message('a');
      throw new AppError('precondition', 'Closed.');
    });
    const names: unknown[] = [];
    const read = async () => {
      for await (const { departments } of readStream(client, client.listDepartments, request)) names.push(departments[0]?.name);
    };
    await expect(read()).rejects.toMatchObject({ code: 'precondition', message: 'Closed.' });
    expect(names).toEqual(['a']);
  });

  it('retries if the service is unavailable before the first message, but not after it', async () => {
    let calls = 0;
    let afterMessages = 0;
    const { client } = await serveList(async function* () {
      calls += 1;
      for (let sent = 0; sent < afterMessages; sent += 1) yield message('a');
      if (calls < 3) throw new AppError('unavailable', 'Going.');
      yield message('b');
    });
    const read = async () => {
      const names: unknown[] = [];
      for await (const { departments } of readStream(client, client.listDepartments, request)) names.push(departments[0]?.name);
      return names;
    };
    expect(await read()).toEqual(['b']);
    expect(calls).toBe(3);
    calls = 0;
    afterMessages = 1;
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(1);
  });

  it('throws when the caller’s own signal aborts', async () => {
    const { client } = await serveList(async function* ({ signal }) {
      yield message('a');
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const leaving = new AbortController();
    const read = async () => {
      for await (const { departments } of readStream(client, client.listDepartments, request, { signal: leaving.signal })) {
        expect(departments).toHaveLength(1);
        leaving.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends with the served call', async () => {
    let begun = false;
    let ended = false;
    const { client } = await serveList(async function* ({ signal }) {
      try {
        yield message('a');
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      } finally {
        ended = true;
      }
    });
    const outer = await serve({
      getAccount: unary(async (_request, { signal }: CallContext) => {
        for await (const { departments } of readStream(client, client.listDepartments, request, { signal }))
          begun = departments.length === 1;
        return recordsV1.GetAccountResponse.fromPartial({});
      }),
    });
    servers.push(outer);
    const leaving = new AbortController();
    const call = callUnary(outer.client, outer.client.getAccount, accountRequest('x'), { signal: leaving.signal });
    const outcome = expect(call).rejects.toMatchObject({ code: 'unavailable' });
    await waitFor(() => begun);
    leaving.abort(new Error('enough'));
    await outcome;
    await waitFor(() => ended);
  });
});

describe('a reader that is slow while another institution waits', () => {
  /** Serves lists one at a time; returns a function that reads the list of an institution. */
  async function serveInTurn(list: (institutionId: string) => AsyncIterable<recordsV1.ListDepartmentsResponse>) {
    const turns = createAnswerTurns({ concurrency: 1, perKey: 1 }, { slowMs: 100, lookMs: 20 });
    const handler = serverStream(({ caller }: recordsV1.ListDepartmentsRequest, call: CallContext) => {
      const institutionId = caller?.institutionId ?? '';
      return turns.stream({ ...call, institutionId }, () => list(institutionId));
    });
    const server = await serve({ listDepartments: handler });
    servers.push(server);
    return (institutionId: string) =>
      readStream(server.client, server.client.listDepartments, recordsV1.ListDepartmentsRequest.fromPartial({ caller: { institutionId } }));
  }

  it.each([
    ['has many messages', { messages: 100, bytes: 64_000 }],
    ['has been made, and its last message waits', { messages: 3, bytes: 1_000_000 }],
  ])('gets no more than what was sent, and an error: the response %s', async (_which, { messages, bytes }) => {
    const ended: string[] = [];
    const read = await serveInTurn(async function* (institutionId) {
      try {
        for (let sent = 0; sent < messages; sent += 1) yield message('x'.repeat(bytes));
      } finally {
        ended.push(institutionId);
      }
    });
    const slow = read('slow')[Symbol.asyncIterator]();
    await slow.next();
    expect(await Array.fromAsync(read('fast'))).toHaveLength(messages);
    expect(ended).toEqual(['slow', 'fast']);
    let more = 0;
    const rest = async () => {
      while ((await slow.next()).done !== true) more += 1;
    };
    await expect(rest()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(more).toBeLessThan(10);
  });

  it('gives up its place also if the response has failed', async () => {
    const read = await serveInTurn(async function* (institutionId) {
      for (let sent = 0; sent < 3; sent += 1) yield message('x'.repeat(1_000_000));
      if (institutionId === 'slow') throw new AppError('precondition', 'Closed.');
    });
    const slow = read('slow')[Symbol.asyncIterator]();
    await slow.next();
    expect(await Array.fromAsync(read('fast'))).toHaveLength(3);
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => slow })).rejects.toMatchObject({ code: 'precondition' });
  });
});

describe('a stream whose connection breaks', () => {
  it('never looks complete to its reader', async () => {
    const { server } = await serveList(async function* ({ signal }) {
      yield message('a');
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await using proxy = await openProxy(server.port);
    for (let round = 0; round < 20; round += 1) {
      const client = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${proxy.port}`);
      const read = async () => {
        for await (const { departments } of readStream(client, client.listDepartments, request)) {
          expect(departments).toHaveLength(1);
          proxy.connections.forEach((socket) => socket.destroy());
        }
      };
      await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
      client.close();
    }
  });
});

describe('openBidi', () => {
  it('receives responses while requests are sent, and after the last one', async () => {
    const { client } = await serveImport(async function* (requests) {
      let lines = 0;
      for await (const { lines: some } of requests) yield progress((lines += some.length));
      yield progress(1_000);
    });
    const call = openBidi(client, client.import);
    const answers = call.responses[Symbol.asyncIterator]();
    const seen: unknown[] = [];
    for (const json of ['1', '2']) {
      await call.write(line(json));
      seen.push((await answers.next()).value);
    }
    call.end();
    seen.push((await answers.next()).value);
    expect(seen).toEqual([progress(1), progress(2), progress(1_000)]);
    expect((await answers.next()).done).toBe(true);
  });

  it('pauses the writer while the handler does not read', async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const { client } = await serveImport(async function* (requests) {
      await release;
      let lines = 0;
      for await (const { lines: some } of requests) lines += some.length;
      yield progress(lines);
    });
    const call = openBidi(client, client.import);
    let written = 0;
    const writing = (async () => {
      for (; written < 300; written += 1) await call.write(line('x'.repeat(64_000)));
      call.end();
    })();
    let before = -1;
    await waitFor(() => {
      const still = written > 0 && written === before;
      before = written;
      return still;
    });
    expect(written).toBeLessThan(200);
    resolve();
    const answers: unknown[] = [];
    for await (const answer of call.responses) answers.push(answer);
    await writing;
    expect(answers).toEqual([progress(300)]);
  });

  it('reports the error of the handler to the writer and the reader', async () => {
    const { client } = await serveImport(async function* (requests) {
      for await (const { lines } of requests) {
        yield progress(lines.length);
        throw new AppError('forbidden', 'Not yours.');
      }
    });
    const call = openBidi(client, client.import);
    const write = async () => {
      for (;;) await call.write(line('x'.repeat(64_000)));
    };
    const read = async () => {
      for await (const { event } of call.responses) expect(event).toBeDefined();
    };
    const writing = expect(write()).rejects.toMatchObject({ code: 'forbidden' });
    await expect(read()).rejects.toMatchObject({ code: 'forbidden', message: 'Not yours.' });
    await writing;
  });

  it('does not block the writer when the handler ends without reading everything', async () => {
    const { client } = await serveImport(async function* (requests) {
      for await (const { lines } of requests) {
        yield progress(lines.length);
        return;
      }
    });
    const call = openBidi(client, client.import);
    const write = async () => {
      for (;;) await call.write(line('x'.repeat(64_000)));
    };
    const writing = expect(write()).rejects.toMatchObject({ code: 'unavailable' });
    const answers: unknown[] = [];
    for await (const answer of call.responses) answers.push(answer);
    expect(answers).toEqual([progress(1)]);
    await writing;
  });

  it('ends at once for a caller that has already left', async () => {
    const { client } = await serveImport(async function* () {});
    const call = openBidi(client, client.import, { signal: AbortSignal.abort(new Error('left')) });
    await expect(call.responses[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(call.write(line('1'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['cancels', (leaving: AbortController) => leaving.abort()],
    ['loses its connection', (_leaving: AbortController, connections: Set<Socket>) => connections.forEach((socket) => socket.destroy())],
  ])('does not consider the requests complete when the client %s', async (_how, leave) => {
    const outcomes: unknown[] = [];
    const { server } = await serveImport(async function* (requests) {
      try {
        for await (const { lines } of requests) yield progress(lines.length);
        outcomes.push('complete');
      } catch (caught) {
        outcomes.push(caught);
      }
    });
    await using proxy = await openProxy(server.port);
    for (let round = 1; round <= 20; round += 1) {
      const client = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${proxy.port}`);
      const leaving = new AbortController();
      const call = openBidi(client, client.import, { signal: leaving.signal });
      const answers = call.responses[Symbol.asyncIterator]();
      await call.write(line('1'));
      await answers.next();
      leave(leaving, proxy.connections);
      await expect(answers.next()).rejects.toMatchObject({ code: 'unavailable' });
      client.close();
      await waitFor(() => outcomes.length === round);
    }
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 'unavailable' });
  });
});
