import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { recordsV1 } from '@stechuhr/contracts';
import { callUnary, unary } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { serve, type TestServer } from './support.js';

/** As many calls as a server handles at a time for one institution. */
const AT_A_TIME = 16;
const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** A server whose calls end when the test ends them. */
async function serveHeld(handling: { readonly atOnce?: boolean } = {}) {
  const begun: string[] = [];
  const held = new Map<string, () => void>();
  const getAccount = unary(async ({ accountId }: recordsV1.GetAccountRequest) => {
    begun.push(accountId);
    await new Promise<void>((resolve) => held.set(accountId, resolve));
    return recordsV1.GetAccountResponse.fromPartial({ account: { id: accountId } });
  }, handling);
  const server = await serve({ getAccount });
  servers.push(server);
  const { client } = server;
  const call = (accountId: string, institutionId: string, signal?: AbortSignal) =>
    callUnary(client, client.getAccount, recordsV1.GetAccountRequest.fromPartial({ accountId, institutionId }), {
      deadlineMs: 60_000,
      ...(signal && { signal }),
    });
  const end = (accountId: string) => held.get(accountId)?.();
  const endAll = async (calls: readonly Promise<unknown>[]) => {
    let open = true;
    const all = Promise.all(calls).finally(() => (open = false));
    await waitFor(() => {
      for (const resolve of held.values()) resolve();
      return !open;
    });
    await all;
  };
  return { begun, call, end, endAll };
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, number) => `${prefix}${number}`);

describe('the calls of an institution', () => {
  const [anna, berta] = [randomUUID(), randomUUID()];

  it('leave the server free for those of others, and wait for each other', async () => {
    const { begun, call, end, endAll } = await serveHeld();
    const many = numbered('a', AT_A_TIME + 2).map((id) => call(id, anna));
    await waitFor(() => begun.length === AT_A_TIME);
    const other = call('b', berta);
    await waitFor(() => begun.includes('b'));
    expect(begun).toEqual([...numbered('a', AT_A_TIME), 'b']);
    end('a0');
    await waitFor(() => begun.includes(`a${AT_A_TIME}`));
    expect(begun).not.toContain(`a${AT_A_TIME + 1}`);
    await endAll([...many, other]);
  });

  it('do not wait any more once their caller has disconnected', async () => {
    const { begun, call, end, endAll } = await serveHeld();
    const many = numbered('a', AT_A_TIME).map((id) => call(id, anna));
    await waitFor(() => begun.length === AT_A_TIME);
    const leaving = new AbortController();
    const left = call('left', anna, leaving.signal);
    const next = call('next', anna);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'unavailable' });
    // What arrives later on the connection comes after the end of the call that left.
    const other = call('b', berta);
    await waitFor(() => begun.includes('b'));
    end('a0');
    await waitFor(() => begun.includes('next'));
    expect(begun).not.toContain('left');
    await endAll([...many, next, other]);
  });

  it('are handled at once if they take long', async () => {
    const { begun, call, endAll } = await serveHeld({ atOnce: true });
    const many = numbered('a', AT_A_TIME + 1).map((id) => call(id, anna));
    await waitFor(() => begun.length === AT_A_TIME + 1);
    await endAll(many);
  });
});

it('calls that name no institution do not wait', async () => {
  const { begun, call, endAll } = await serveHeld();
  const many = numbered('a', AT_A_TIME + 1).map((id) => call(id, ''));
  await waitFor(() => begun.length === AT_A_TIME + 1);
  await endAll(many);
});
