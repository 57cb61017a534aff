import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { callUnary, readStream, serverStream, unary } from '@stechuhr/service';
import { accountRequest, serve, type TestServer } from './support.js';

/** A client pings after 1.5 s. */
const PINGED_MS = 1_700;
/** It waits 3.5 s for the response, and 1.5 s for a connection. */
const HELD_UP_MS = 4_000;

let served: TestServer;
afterEach(() => served.stop());

/** Simulates a process that gets no CPU time. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const account = recordsV1.GetAccountResponse.fromPartial({});

describe('a process that was suspended', () => {
  it('does not consider a server dead whose response it could not read', async () => {
    const later = Promise.withResolvers<recordsV1.GetAccountResponse>();
    const answers = [Promise.resolve(account), later.promise];
    served = await serve({ getAccount: unary(async () => (await answers.shift()) ?? account) });
    const { client } = served;
    const get = () => callUnary(client, client.getAccount, accountRequest('x'));
    await get();
    const asked = get();
    // Node runs timers of one duration together, in the order of the oldest: those of other connections run the timeout of this one early.
    const others = setTimeout(() => undefined, 3_500);
    await delay(0);
    // A ping or its response is in transit when the process is suspended.
    holdUp(PINGED_MS);
    await delay(0);
    holdUp(HELD_UP_MS);
    await delay(100);
    later.resolve(account);
    await expect(asked).resolves.toEqual(account);
    clearTimeout(others);
  });

  it('does not consider a server unreachable to which it could not connect', async () => {
    served = await serve({ getAccount: unary(async () => account) });
    const { client } = served;
    const asked = callUnary(client, client.getAccount, accountRequest('x'));
    holdUp(HELD_UP_MS);
    await expect(asked).resolves.toEqual(account);
  });

  it('does not consider a stream silent whose message it could not read', async () => {
    const later = Promise.withResolvers<void>();
    const message = (name: string) => recordsV1.ListDepartmentsResponse.fromPartial({ departments: [{ name }] });
    served = await serve({
      listDepartments: serverStream(async function* () {
        yield message('a');
        await later.promise;
        yield message('b');
      }),
    });
    const { client } = served;
    const request = recordsV1.ListDepartmentsRequest.fromPartial({});
    const messages = readStream(client, client.listDepartments, request, { stallMs: 2_000 })[Symbol.asyncIterator]();
    expect(await messages.next()).toMatchObject({ value: message('a') });
    const asked = messages.next();
    later.resolve();
    holdUp(HELD_UP_MS);
    await expect(asked).resolves.toMatchObject({ value: message('b') });
  });
});
