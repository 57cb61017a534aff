import { describe, expect, it } from '@jest/globals';
import { commonV1 } from '@stechuhr/contracts';
import { systemClock } from '@stechuhr/kernel';
import { hashToken, newToken } from '../domain/token-format.js';
import type { Token } from '../domain/token.js';
import { authenticate } from './authenticate.js';
import type { Account, AccountOfToken } from './ports.js';

const visibility: commonV1.Visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
const ANNA: Account = { institutionId: 'i', visibility };

/** Stores in memory; `asked` records the order of lookups and their results. */
function portsOf(secret: string, more: Partial<Token> & { readonly accountFails?: boolean } = {}) {
  const { accountFails = false, ...changes } = more;
  const hash = hashToken(secret);
  const ids = { id: 't', hash, prefix: 'stu_', name: null, accountId: 'anna', institutionId: 'i', issuedBy: null };
  const token: Token = {
    ...ids,
    scopes: null,
    strict: false,
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...changes,
  };
  const asked: string[] = [];
  const observed = async <T>(name: string, load: () => Promise<T>): Promise<T> => {
    asked.push(name);
    const value = await load();
    asked.push(`${name} known`);
    return value;
  };
  const none = async (): Promise<never> => Promise.reject(new Error('not asked for here'));
  return {
    asked,
    guesses: new Map<string, AccountOfToken>(),
    clock: systemClock,
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    tokens: {
      findByHash: async (hash: string) => (hash === token.hash ? token : undefined),
      insert: none,
      insertWithin: none,
      confirm: none,
      removeUnconfirmed: none,
      findById: none,
      list: none,
      listOwn: none,
      removeLapsed: none,
      revoke: none,
      remove: none,
      touch: async () => undefined,
    },
    accounts: {
      find: async (id: string) => {
        if (accountFails) throw new Error('records is unavailable');
        return id === 'anna' ? ANNA : undefined;
      },
    },
    lookups: {
      token: <T>(_: string, load: () => Promise<T>) => observed('token', load),
      account: <T>(id: string, load: () => Promise<T>) => observed(id, load),
      forgetToken: none,
    },
  };
}

const invalid = { code: 'unauthenticated', message: 'Invalid token.' };

describe('a token that was used before', () => {
  it('is looked up together with its account', async () => {
    const secret = newToken();
    const ports = portsOf(secret);
    const first = await authenticate(ports, secret);
    expect(ports.asked).toEqual(['token', 'token known', 'anna', 'anna known']);
    ports.asked.length = 0;
    expect(await authenticate(ports, secret)).toEqual(first);
    expect(ports.asked.slice(0, 2).sort()).toEqual(['anna', 'token']);
    expect(ports.asked).toHaveLength(4);
  });

  it('belongs to the account in its document, even if the guess was wrong', async () => {
    const secret = newToken();
    const ports = portsOf(secret);
    ports.guesses.set(hashToken(secret), { accountId: 'berta', institutionId: 'i' });
    expect((await authenticate(ports, secret)).caller.accountId).toBe('anna');
    expect(ports.guesses.get(hashToken(secret))).toEqual({ accountId: 'anna', institutionId: 'i' });
  });

  // In a sharded cluster, two institutions may have accounts with the same id (docs/sharding.md).
  it('belongs to the account of its own institution, even while an account of another one with the same id is cached', async () => {
    const secret = newToken();
    const { lookups, ...ports } = portsOf(secret);
    const kept: Account = { ...ANNA, institutionId: 'another' };
    const account = async <T>() => kept as T;
    expect((await authenticate({ ...ports, lookups: { ...lookups, account } }, secret)).caller.institutionId).toBe('i');
  });

  it('is invalid if it was revoked, even while its account is unavailable', async () => {
    const secret = newToken();
    const ports = portsOf(secret, { revokedAt: 1, accountFails: true });
    ports.guesses.set(hashToken(secret), { accountId: 'anna', institutionId: 'i' });
    await expect(authenticate(ports, secret)).rejects.toMatchObject(invalid);
  });

  it('fails with the error of the lookup of its account', async () => {
    const secret = newToken();
    const ports = portsOf(secret, { accountFails: true });
    ports.guesses.set(hashToken(secret), { accountId: 'anna', institutionId: 'i' });
    await expect(authenticate(ports, secret)).rejects.toThrow('records is unavailable');
  });
});
