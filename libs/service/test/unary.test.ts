import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Http2Stream } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, hasLeft, unary, type CallContext } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { accountRequest, serve, type TestServer } from './support.js';

type GetAccount = (request: recordsV1.GetAccountRequest, call: CallContext) => Promise<recordsV1.GetAccountResponse>;

const servers: TestServer[] = [];
const answer = recordsV1.GetAccountResponse.fromPartial({ account: { id: 'a' } });

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serveAccount(getAccount: GetAccount): Promise<TestServer> {
  const server = await serve({ getAccount: unary(getAccount) });
  servers.push(server);
  return server;
}

const never = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('callUnary', () => {
  it('returns the response of the handler', async () => {
    const { client } = await serveAccount(async ({ accountId }) =>
      recordsV1.GetAccountResponse.fromPartial({ account: { id: accountId } }),
    );
    expect((await callUnary(client, client.getAccount, accountRequest('x'))).account?.id).toBe('x');
  });

  it('rejects with the error that the handler threw', async () => {
    const { client, lines } = await serveAccount(async () => {
      throw AppError.invalid({ account_id: ['Must be a valid UUID.'] });
    });
    const failure = callUnary(client, client.getAccount, accountRequest('x'));
    await expect(failure).rejects.toMatchObject({ name: 'AppError', code: 'invalid', details: { account_id: ['Must be a valid UUID.'] } });
    expect(lines).toEqual([]);
  });

  it('hides unexpected errors from the caller and logs them', async () => {
    const { client, lines } = await serveAccount(() => {
      throw new TypeError('x of undefined');
    });
    await expect(callUnary(client, client.getAccount, accountRequest('x'))).rejects.toMatchObject({
      code: 'internal',
      message: 'Internal error.',
    });
    expect(lines).toEqual([
      { message: 'call failed', fields: { method: 'stechuhr.records.v1.RecordsService/GetAccount', err: new TypeError('x of undefined') } },
    ]);
  });

  it('is unavailable when the handler’s database is unavailable', async () => {
    const { client } = await serveAccount(async () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { name: 'MongoServerSelectionError' });
    });
    await expect(callUnary(client, client.getAccount, accountRequest('x'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is unavailable at once when nothing listens', async () => {
    const client = createGrpcClient(recordsV1.RecordsServiceClient, '127.0.0.1:1');
    await expect(callUnary(client, client.getAccount, accountRequest('x'))).rejects.toMatchObject({ code: 'unavailable' });
    client.close();
  });

  it('sends calls again that two connections in a row refused as they ended', async () => {
    const executed: string[] = [];
    const { client } = await serveAccount(async ({ accountId }) => {
      executed.push(accountId);
      return answer;
    });
    const ended: unknown[] = [];
    // Each connection ends after the headers of its first call; those of the others arrive in the same packet.
    const end = (message: unknown): void => {
      const { session } = (message as { readonly stream: Http2Stream }).stream;
      if (ended.length === 2 || ended.includes(session)) return;
      ended.push(session);
      session?.close();
    };
    subscribe('http2.server.stream.created', end);
    try {
      const ids = ['1', '2', '3'];
      await Promise.all(ids.map((id) => callUnary(client, client.getAccount, accountRequest(id))));
      expect(ended).toHaveLength(2);
      expect(executed.toSorted()).toEqual(ids);
    } finally {
      unsubscribe('http2.server.stream.created', end);
    }
  });

  it('retries only idempotent calls while the service is unavailable', async () => {
    let calls = 0;
    const { client } = await serveAccount(async () => {
      calls += 1;
      if (calls % 3 !== 0) throw new AppError('unavailable', 'unavailable');
      return answer;
    });
    await expect(callUnary(client, client.getAccount, accountRequest('x'), { idempotent: true })).resolves.toEqual(answer);
    expect(calls).toBe(3);
    await expect(callUnary(client, client.getAccount, accountRequest('x'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(4);
  });

  it('ends at its deadline, and so does the handler', async () => {
    const signals: AbortSignal[] = [];
    const { client, lines } = await serveAccount(async (_request, { signal }) => {
      signals.push(signal);
      return never(signal);
    });
    // On a busy machine, a call may end before its handler begins.
    for (let deadlineMs = 1_000; signals.length === 0; deadlineMs *= 2)
      await expect(callUnary(client, client.getAccount, accountRequest('x'), { deadlineMs })).rejects.toMatchObject({
        code: 'unavailable',
      });
    await waitFor(() => signals[0]?.aborted);
    expect(lines).toEqual([]);
  });

  it('ends the handler when the caller disconnects', async () => {
    const left: string[] = [];
    const { client } = await serveAccount(async ({ accountId }, { signal }) => {
      left.push(`${accountId} started`);
      return never(signal).finally(() => left.push(`${accountId} left`));
    });
    const leaving = new AbortController();
    const call = callUnary(client, client.getAccount, accountRequest('x'), { signal: leaving.signal });
    await waitFor(() => left.includes('x started'));
    leaving.abort();
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
    await waitFor(() => left.includes('x left'));
  });

  it('passes on the deadline of the served call', async () => {
    const deadlines: number[] = [];
    const inner = await serveAccount(async (_request, { deadline }) => {
      deadlines.push(Number(deadline));
      return answer;
    });
    const outer = await serveAccount((request, { signal, deadline }) => {
      deadlines.push(Number(deadline));
      return callUnary(inner.client, inner.client.getAccount, request, { signal, deadlineMs: 60_000 });
    });
    await callUnary(outer.client, outer.client.getAccount, accountRequest('x'), { deadlineMs: 5_000 });
    const [first = 0, second = 0] = deadlines;
    // A deadline is transmitted as the remaining time, so it shifts by the time of the transmission.
    expect(Math.abs(second - first)).toBeLessThan(20_000);
  });

  it('recognises that the caller has left when it fails because of the deadline of the served call', async () => {
    const left: boolean[] = [];
    const inner = await serveAccount((request, { signal }) =>
      request.accountId === 'x' ? never(signal) : Promise.reject(new AppError('unavailable', 'A service is not available.')),
    );
    let begun = 0;
    const outer = await serveAccount((request, { signal }) => {
      begun += 1;
      return callUnary(inner.client, inner.client.getAccount, request, { signal }).finally(() => left.push(hasLeft(signal)));
    });
    const ask = (accountId: string, deadlineMs: number) =>
      callUnary(outer.client, outer.client.getAccount, accountRequest(accountId), { deadlineMs });
    // Either of the two may end first. On a busy machine, a call may end before its handler begins.
    for (let deadlineMs = 100; begun === 0; deadlineMs *= 2) {
      const impatient = Array.from({ length: 20 }, (_, n) => ask('x', deadlineMs + n));
      await Promise.all(impatient.map((call) => expect(call).rejects.toMatchObject({ code: 'unavailable' })));
    }
    await waitFor(() => left.length === begun);
    expect(new Set(left)).toEqual(new Set([true]));
    await expect(ask('y', 60_000)).rejects.toMatchObject({ code: 'unavailable' });
    expect(left.at(-1)).toBe(false);
  });

  it('does not abort the handler’s signal when the call succeeded', async () => {
    const signals: AbortSignal[] = [];
    const { client } = await serveAccount(async (_request, { signal }) => {
      signals.push(signal);
      return answer;
    });
    for (let call = 0; call < 3; call += 1) await callUnary(client, client.getAccount, accountRequest('x'));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  });
});
