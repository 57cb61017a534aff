import { afterEach, describe, expect, it } from '@jest/globals';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, serverStream, unary, type CallContext } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { accountRequest, healthOf, serve, type TestServer } from './support.js';

const answer = recordsV1.GetAccountResponse.fromPartial({ account: { id: 'a' } });
const tooMany = { name: 'AppError', code: 'unavailable', message: 'Too many calls are under way. Try again later.' };
const message = recordsV1.ListDepartmentsResponse.fromPartial({ departments: [{ name: 'x'.repeat(64_000) }] });

const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Calls of GetAccount whose handlers work until they are told to end. */
interface Working extends TestServer {
  /** How many handlers work. */
  working(): number;
  /** How many have begun. */
  begun(): number;
  endOne(error?: AppError): void;
}

async function serveLimited(concurrentCalls: number, others: UntypedServiceImplementation = {}): Promise<Working> {
  const ends: PromiseWithResolvers<recordsV1.GetAccountResponse>[] = [];
  let begun = 0;
  const getAccount = unary(async (_request: recordsV1.GetAccountRequest, _call: CallContext) => {
    begun += 1;
    const end = Promise.withResolvers<recordsV1.GetAccountResponse>();
    ends.push(end);
    return end.promise;
  });
  const server = await serve({ getAccount, ...others }, { concurrentCalls });
  const endOne = (error?: AppError) => {
    const end = ends.shift();
    if (error === undefined) end?.resolve(answer);
    else end?.reject(error);
  };
  stops.push(async () => {
    while (ends.length > 0) endOne();
    await server.stop();
  });
  return { ...server, working: () => ends.length, begun: () => begun, endOne };
}

/** A client with a connection of its own. */
function another({ server }: TestServer): recordsV1.RecordsServiceClient {
  const client = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${server.port}`);
  stops.push(() => client.close());
  return client;
}

const call = (client: recordsV1.RecordsServiceClient, signal?: AbortSignal) =>
  callUnary(client, client.getAccount, accountRequest('x'), signal && { signal });

/** Calls that are under way when this resolves. */
async function begin(client: recordsV1.RecordsServiceClient, count: number, at: Working): Promise<{ leave(): void }> {
  const leaving = new AbortController();
  const wanted = at.begun() + count;
  for (let each = 0; each < count; each += 1) call(client, leaving.signal).catch(() => undefined);
  await waitFor(() => at.begun() === wanted);
  return { leave: () => leaving.abort() };
}

/** Whether another call gets a slot, which it then keeps. */
async function isAdmitted(client: recordsV1.RecordsServiceClient, at: Working): Promise<boolean> {
  const before = at.begun();
  let isRefused = false;
  call(client).catch(() => (isRefused = true));
  await waitFor(() => isRefused || at.begun() > before);
  return !isRefused;
}

describe('a server with a limit of concurrent calls', () => {
  it('refuses one more at once, and answers again when a call has ended', async () => {
    const at = await serveLimited(4);
    await begin(at.client, 3, at);
    const second = another(at);
    await begin(second, 1, at);
    await expect(call(second)).rejects.toMatchObject(tooMany);
    expect(at.begun()).toBe(4);
    at.endOne();
    await waitFor(async () => isAdmitted(second, at));
  });

  it('gives a connection a slot only if at least as many are free as it holds', async () => {
    const at = await serveLimited(8);
    await begin(at.client, 5, at);
    await expect(call(at.client)).rejects.toMatchObject(tooMany);
    await begin(another(at), 2, at);
    await begin(another(at), 1, at);
    await expect(call(another(at))).rejects.toMatchObject(tooMany);
  });

  it('answers health checks when all slots are taken', async () => {
    const at = await serveLimited(1);
    at.server.setServing(true);
    await begin(at.client, 1, at);
    await expect(call(another(at))).rejects.toMatchObject(tooMany);
    expect(await healthOf(at.server, '')).toMatchObject({ status: 'SERVING' });
  });

  it('has no limit if it is 0', async () => {
    const at = await serveLimited(0);
    await begin(at.client, 20, at);
  });

  it('frees the slot of a call that failed', async () => {
    const at = await serveLimited(1);
    const failing = call(at.client);
    failing.catch(() => undefined);
    await waitFor(() => at.working() === 1);
    at.endOne(AppError.invalid({ account_id: ['Must be a valid UUID.'] }));
    await expect(failing).rejects.toMatchObject({ code: 'invalid' });
    await waitFor(async () => isAdmitted(at.client, at));
  });

  it('keeps the slot of a caller that left until the handler has ended', async () => {
    const at = await serveLimited(1);
    const { leave } = await begin(at.client, 1, at);
    leave();
    await expect(call(at.client)).rejects.toMatchObject(tooMany);
    expect(at.begun()).toBe(1);
    at.endOne();
    await waitFor(async () => isAdmitted(at.client, at));
  });

  it('keeps the slot of a stream that nobody reads until its caller leaves', async () => {
    const listDepartments = serverStream(async function* () {
      for (;;) yield message;
    });
    const at = await serveLimited(1, { listDepartments });
    const unread = at.client.listDepartments(recordsV1.ListDepartmentsRequest.fromPartial({}));
    unread.on('error', () => undefined);
    await new Promise((resolve) => unread.once('metadata', resolve));
    await expect(call(another(at))).rejects.toMatchObject(tooMany);
    unread.cancel();
    await waitFor(async () => isAdmitted(at.client, at));
  });
});
