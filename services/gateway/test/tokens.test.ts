import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, createEvent, subjectOf, type Bus } from '@stechuhr/bus';
import { commonV1 } from '@stechuhr/contracts';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { accessCache, accountCacheKey, connectRedis, createLookupCache, tokenCacheKey, type LookupCache } from '@stechuhr/redis';
import { openTcpGate, ownTime, waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { openTokenAdmin } from '../src/admin.js';
import { createLookups } from '../src/clients/redis.js';
import { hashToken, newToken } from '../src/domain/token-format.js';
import type { Token } from '../src/domain/token.js';
import { tokenEvents } from '../src/events/tokens.js';
import { issueToken } from '../src/operations/issue-token.js';
import type { Account, Accounts } from '../src/operations/ports.js';
import { removeTokensOfAccount } from '../src/operations/revoke-token.js';
import { tokenModel, type TokenDocument } from '../src/store/token-model.js';
import { createTokenStore } from '../src/store/token-store.js';
import { call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { collectLogs } from './support/logs.js';

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;
const OK = { status: 200 };
const INVALID = { status: 401, json: { detail: 'Invalid token.' } };

let gateway: TestGateway;
let events: SubjectWatch;
let bus: Bus;
let mongo: MongoDb;
let redis: ReturnType<typeof connectRedis>;
let cache: LookupCache;

beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  const { logger } = collectLogs();
  events = await watchSubjects(gateway.servers.natsUrl, 'stechuhr.events.>');
  mongo = await connectMongo({ url: gateway.servers.mongodbUrl, database: gateway.servers.database('gateway'), logger });
  bus = await connectBus({ servers: gateway.servers.natsUrl, name: 'test', logger });
  redis = connectRedis({ url: gateway.servers.redisUrl, logger });
  await waitFor(() => redis.status === 'ready');
  cache = createLookupCache({ redis, ...accessCache });
});
afterAll(async () => {
  await events.stop();
  await bus.close();
  await mongo.close();
  redis.disconnect();
  await gateway.stop();
});

const ask = (token: string) => call(gateway.port, '/api/v2/', { token });
const stored = (id: string) => mongo.connection.collection<TokenDocument>('tokens').findOne({ _id: id });

describe('the operations of operators', () => {
  it('do not wait for Redis if it was there before MongoDB', async () => {
    const { mongodbUrl, redisUrl, database } = gateway.servers;
    const { host } = new URL(mongodbUrl);
    const gate = await openTcpGate(host);
    gate.hold('answers');
    const connections = async () => Number(/connected_clients:(\d+)/.exec(await redis.info('clients'))?.[1]);
    const before = await connections();
    const opening = openTokenAdmin({
      mongodbUrl: mongodbUrl.replace(host, gate.address),
      redisUrl,
      database: database('gateway'),
      recordsAddress: gateway.backends.recordsAddress,
      logger: collectLogs().logger,
    });
    await waitFor(async () => (await connections()) > before);
    gate.release();
    expect(await ownTime(() => opening)).toBeLessThan(1_500);
    await (await opening).close();
    await gate.stop();
  });
});

describe('issuing', () => {
  it('returns the token once and stores its hash', async () => {
    const account = gateway.backends.addAccount();
    const issued = await gateway.admin.issue({ accountId: account.id.toUpperCase(), name: ' Lohnbüro ' });
    expect(issued).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^stu_[0-9A-Za-z]{49}$/),
      account_id: account.id,
      scopes: null,
      expires_at: null,
    });
    const document = await stored(issued.id);
    expect(document).toMatchObject({
      hash: hashToken(issued.token),
      prefix: issued.token.slice(0, 8),
      name: 'Lohnbüro',
      account_id: account.id,
      institution_id: account.institutionId,
    });
    expect(JSON.stringify(document)).not.toContain(issued.token);
    expect(await ask(issued.token)).toMatchObject(OK);
  });

  it('keeps scopes and a local expiry', async () => {
    const scopes = ['absence_rules:view', 'daily_reports:edit'];
    const issued = await gateway.issue({ scopes, expiresAt: '2099-07-01T12:00' });
    expect(issued).toMatchObject({ scopes, expires_at: '2099-07-01T12:00:00' });
    expect((await stored(issued.id))?.expires_at).toEqual(new Date('2099-07-01T10:00:00Z'));
  });

  it('rejects an unknown account', async () => {
    await expect(gateway.admin.issue({ accountId: newId() })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('names every problem of a request', async () => {
    await expect(gateway.admin.issue({ accountId: 'x', name: '', scopes: ['x'], expiresAt: '2026-01-01T00:00:00Z' })).rejects.toMatchObject(
      {
        code: 'invalid',
        details: {
          account_id: [expect.any(String)],
          name: [expect.any(String)],
          scopes: [expect.any(String)],
          expires_at: [expect.any(String)],
        },
      },
    );
  });

  it('is published without the token', async () => {
    const account = gateway.backends.addAccount();
    const issued = await gateway.admin.issue({ accountId: account.id });
    const message = await events.next(({ text }) => text.includes(issued.id));
    expect(message.subject).toBe(`stechuhr.events.${account.institutionId}.gateway.token.issued`);
    expect(message.text).not.toContain(issued.token);
    // No span is active if a command without telemetry issues it.
    const traceparent: unknown = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(JSON.parse(message.text)).toMatchObject({ subject: issued.id, data: { id: issued.id, account_id: account.id }, traceparent });
    await waitFor(async () => (await stored(issued.id))?.outbox.length === 0);
  });
});

describe('listing', () => {
  it('shows everything but the token, oldest first', async () => {
    const account = gateway.backends.addAccount();
    const first = await gateway.admin.issue({ accountId: account.id, name: 'first' });
    const second = await gateway.admin.issue({ accountId: account.id, scopes: ['daily_reports:view'], expiresAt: '2030-01-01T00:00:00' });
    await gateway.admin.revoke(second.id);
    const list = await gateway.admin.list({ accountId: account.id });
    const common = { account_id: account.id, created_at: expect.stringMatching(LOCAL), last_used_at: null };
    expect(list).toEqual([
      { ...common, id: first.id, prefix: first.token.slice(0, 8), name: 'first', scopes: null, expires_at: null, revoked_at: null },
      {
        ...common,
        id: second.id,
        prefix: second.token.slice(0, 8),
        name: null,
        scopes: ['daily_reports:view'],
        expires_at: '2030-01-01T00:00:00',
        revoked_at: expect.stringMatching(LOCAL),
      },
    ]);
    expect((await gateway.admin.list()).length).toBeGreaterThan(2);
    expect(await gateway.admin.list({ accountId: newId() })).toEqual([]);
    await expect(gateway.admin.list({ accountId: 'x' })).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('revoking', () => {
  it('takes effect at once, even while the token is cached', async () => {
    const issued = await gateway.issue();
    expect(await ask(issued.token)).toMatchObject(OK);
    expect(await redis.exists(`${accessCache.prefix}:{${tokenCacheKey(hashToken(issued.token))}}`)).toBe(1);
    expect(await gateway.admin.revoke(issued.id)).toEqual({ id: issued.id, revoked_at: expect.stringMatching(LOCAL) });
    expect(await ask(issued.token)).toMatchObject(INVALID);
  });

  it('wins over a lookup that started before and would be cached afterwards', async () => {
    const issued = await gateway.issue();
    const hash = hashToken(issued.token);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let loaded = false;
    const lookup = cache.get(tokenCacheKey(hash), async () => {
      const document = await stored(issued.id);
      loaded = true;
      await gate;
      return {
        id: issued.id,
        accountId: document?.account_id,
        institutionId: document?.institution_id,
        scopes: null,
        expiresAt: null,
        revokedAt: null,
      };
    });
    await waitFor(() => loaded);
    await gateway.admin.revoke(issued.id);
    release();
    await lookup;
    expect(await ask(issued.token)).toMatchObject(INVALID);
  });

  it('returns the time of the first revocation when repeated', async () => {
    const issued = await gateway.issue();
    const first = await gateway.admin.revoke(issued.id);
    expect(await gateway.admin.revoke(issued.id.toUpperCase())).toEqual(first);
    const message = await events.next(({ subject, text }) => subject.endsWith('gateway.token.revoked') && text.includes(issued.id));
    expect(JSON.parse(message.text)).toMatchObject({ data: { id: issued.id, account_id: issued.account_id } });
    expect(events.messages.filter(({ subject, text }) => subject.endsWith('revoked') && text.includes(issued.id))).toHaveLength(1);
  });

  it.each([newId(), 'x', ''])('does not find %j', async (id) => {
    await expect(gateway.admin.revoke(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a token', () => {
  it('that was issued expired is invalid', async () => {
    expect(await ask((await gateway.issue({ expiresAt: '2020-01-01T00:00:00' })).token)).toMatchObject(INVALID);
  });

  it('expires while it is cached', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toLocaleString('sv', { timeZone: 'Europe/Berlin' }).replace(' ', 'T');
    const { token } = await gateway.issue({ expiresAt: inAnHour });
    expect(await ask(token)).toMatchObject(OK);
    gateway.advance(3_600_000);
    expect(await ask(token)).toMatchObject(INVALID);
    gateway.advance(-3_600_000);
  });

  it('records its use once a minute', async () => {
    const { id, token } = await gateway.issue();
    const lastUse = async () => (await stored(id))?.last_used_at?.getTime();
    expect(await ask(token)).toMatchObject(OK);
    const first = await waitFor(lastUse);
    gateway.advance(30_000);
    await cache.invalidate(tokenCacheKey(hashToken(token)));
    expect(await ask(token)).toMatchObject(OK);
    expect(await lastUse()).toBe(first);
    gateway.advance(31_000);
    await cache.invalidate(tokenCacheKey(hashToken(token)));
    expect(await ask(token)).toMatchObject(OK);
    await waitFor(async () => (await lastUse()) !== first);
    expect((await gateway.admin.list()).find((listed) => listed.id === id)?.last_used_at).toMatch(LOCAL);
  });
});

describe('an account', () => {
  let tokens: ReturnType<typeof createTokenStore>;

  beforeAll(() => void (tokens = createTokenStore(tokenModel(mongo.connection))));

  const requestFor = (accountId: string) => ({ accountId, name: 'a', scopes: null, strict: false, expiresAt: null });
  /** How many tokens of an account are stored, also unconfirmed ones. */
  const storedFor = (accountId: string) => mongo.connection.collection<TokenDocument>('tokens').countDocuments({ account_id: accountId });

  it('is looked up once while it is cached', async () => {
    const { token } = await gateway.issue();
    const before = gateway.backends.accountCalls;
    for (let n = 0; n < 5; n += 1) expect(await ask(token)).toMatchObject(OK);
    expect(gateway.backends.accountCalls).toBe(before + 1);
  });

  it('that is deleted invalidates its tokens at once', async () => {
    const { token, account_id: accountId } = await gateway.issue();
    expect(await ask(token)).toMatchObject(OK);
    gateway.backends.accounts.delete(accountId);
    await cache.invalidate(accountCacheKey(accountId));
    expect(await ask(token)).toMatchObject(INVALID);
  });

  it('that was deleted invalidates its tokens permanently, even if it is created again', async () => {
    const account = gateway.backends.addAccount();
    const before = await gateway.admin.issue({ accountId: account.id });
    const { institutionId } = account;
    const deletion = createEvent({ type: 'records.account.deleted', institutionId, data: { id: account.id }, clock: systemClock });
    // A token of the same millisecond is removed, too.
    await waitFor(() => Date.now() > Date.parse(deletion.time));
    const after = await gateway.admin.issue({ accountId: account.id });
    expect(await ask(before.token)).toMatchObject(OK);
    await bus.publish(subjectOf(deletion), JSON.stringify(deletion));
    await events.next(({ subject, text }) => subject.endsWith('.token.revoked') && text.includes(before.id));
    await waitFor(async () => (await ask(before.token)).status === 401);
    expect(await ask(after.token)).toMatchObject(OK);
  });

  it('that was deleted by a service whose clock is behind invalidates its tokens, too', async () => {
    const { id: accountId, institutionId } = gateway.backends.addAccount();
    const { id } = await gateway.admin.issue({ accountId });
    gateway.backends.accounts.delete(accountId);
    const clock = { now: () => Date.now() - 600_000 };
    const deletion = createEvent({ type: 'records.account.deleted', institutionId, data: { id: accountId }, clock });
    await bus.publish(subjectOf(deletion), JSON.stringify(deletion));
    await events.next(({ subject, text }) => subject.endsWith('.token.revoked') && text.includes(id));
  });

  it('that was deleted loses all its tokens if two replicas handle the deletion at the same time', async () => {
    const { id: accountId, institutionId } = gateway.backends.addAccount();
    const issued = [await gateway.admin.issue({ accountId }), await gateway.admin.issue({ accountId })];
    await gateway.admin.revoke(issued[0]?.id ?? '');
    // Its event has been published, so it is removed at once.
    await waitFor(async () => (await stored(issued[0]?.id ?? ''))?.outbox.length === 0);
    const lookups = createLookups(cache);
    const ports = { tokens, lookups, event: tokenEvents(systemClock), clock: systemClock, accounts: { find: async () => undefined } };
    const deletion = { institutionId, accountId, deletedAt: new Date() };
    const meanwhile = { find: () => removeTokensOfAccount(ports, deletion).then(() => undefined) };
    await removeTokensOfAccount({ ...ports, accounts: meanwhile }, deletion);
    await waitFor(async () => (await tokens.list(accountId)).length === 0);
    expect(await ask(issued[1]?.token ?? '')).toMatchObject(INVALID);
  });

  it('that is deleted while a token is issued for it keeps no token', async () => {
    const { id: accountId, institutionId } = gateway.backends.addAccount();
    let isDeleted = false;
    const accounts: Accounts = {
      find: async () => (isDeleted ? undefined : { institutionId, visibility: { role: 1, departmentIds: [], projects: undefined } }),
    };
    const ports = { tokens, accounts, lookups: createLookups(cache), event: tokenEvents(systemClock), clock: systemClock };
    const slow: typeof tokens = {
      ...tokens,
      async insert(...given) {
        isDeleted = true;
        await removeTokensOfAccount(ports, { institutionId, accountId, deletedAt: new Date() });
        return tokens.insert(...given);
      },
    };
    await expect(issueToken({ ...ports, tokens: slow }, requestFor(accountId))).rejects.toMatchObject({ code: 'not_found' });
    expect(await storedFor(accountId)).toBe(0);
  });

  it.each([
    ['keeps no token', false, 'not_found'],
    ['has the request repeated if it exists again', true, 'unavailable'],
  ] as const)('that is deleted just before a token becomes valid %s', async (_, isBack, code) => {
    const { id: accountId, institutionId } = gateway.backends.addAccount();
    const account: Account = { institutionId, visibility: { role: 1, departmentIds: [], projects: undefined } };
    const ports = { tokens, lookups: createLookups(cache), event: tokenEvents(systemClock), clock: systemClock };
    let isDeleted = false;
    const accounts: Accounts = { find: async () => (isDeleted && !isBack ? undefined : account) };
    const slow: typeof tokens = {
      ...tokens,
      async confirm(...given) {
        isDeleted = true;
        await removeTokensOfAccount({ ...ports, accounts }, { institutionId, accountId, deletedAt: new Date() });
        return tokens.confirm(...given);
      },
    };
    await expect(issueToken({ ...ports, accounts, tokens: slow }, requestFor(accountId))).rejects.toMatchObject({ code });
    expect(await storedFor(accountId)).toBe(0);
  });

  it('keeps no token of a process that was killed while it issued one', async () => {
    const account = gateway.backends.addAccount();
    const secret = newToken();
    const killed: Token = {
      id: newId(),
      hash: hashToken(secret),
      prefix: secret.slice(0, 8),
      name: null,
      accountId: account.id,
      institutionId: account.institutionId,
      issuedBy: null,
      scopes: null,
      strict: false,
      createdAt: Date.now(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    };
    const soon = Date.now() + 600_000;
    await tokens.insert(killed, soon);
    expect(await ask(secret)).toMatchObject(INVALID);
    expect(await gateway.admin.list({ accountId: account.id })).toEqual([]);
    await expect(gateway.admin.revoke(killed.id)).rejects.toMatchObject({ code: 'not_found' });
    const { token } = await gateway.admin.issue({ accountId: account.id });
    expect(await storedFor(account.id)).toBe(2);
    gateway.advance(600_001);
    const another = await call(gateway.port, '/api/v2/tokens/', {
      token,
      method: 'POST',
      body: JSON.stringify({ name: 'another' }),
      headers: { 'content-type': 'application/json' },
    });
    gateway.advance(-600_001);
    expect(another.status).toBe(201);
    expect(await stored(killed.id)).toBeNull();
  });

  it('that was created again in another institution is another account', async () => {
    const account = gateway.backends.addAccount();
    const { token } = await gateway.admin.issue({ accountId: account.id });
    gateway.backends.accounts.set(account.id, { ...account, institutionId: newId() });
    expect(await ask(token)).toMatchObject(INVALID);
  });

  it('that changes takes effect at once', async () => {
    const account = gateway.backends.addAccount();
    const { token } = await gateway.admin.issue({ accountId: account.id });
    const roles: (commonV1.Role | undefined)[] = [];
    gateway.backends.runExport = ({ caller }) => {
      roles.push(caller?.visibility?.role);
      throw new Error('enough');
    };
    await call(gateway.port, '/api/v2/exports/generic/', { token });
    const visibility = { role: commonV1.Role.ROLE_DEPARTMENT_LEADER, departmentIds: [newId()], projects: { projectIds: [] } };
    gateway.backends.accounts.set(account.id, { ...account, visibility });
    await cache.invalidate(accountCacheKey(account.id));
    await call(gateway.port, '/api/v2/exports/generic/', { token });
    expect(roles).toEqual([commonV1.Role.ROLE_ADMIN, commonV1.Role.ROLE_DEPARTMENT_LEADER]);
  });

  it('that cannot be looked up leads to 503 with Retry-After', async () => {
    const other = await gateway.another({ RECORDS_ADDRESS: '127.0.0.1:1' });
    const { token } = await gateway.issue();
    const answer = await call(other.httpPort, '/api/v2/', { token });
    expect(answer).toMatchObject({ status: 503, json: { detail: expect.any(String) } });
    expect(answer.headers['retry-after']).toBe('5');
    await other.stop();
  });
});

describe('a request whose body arrives a second or more after its token was checked', () => {
  const SUPPRESSIONS = '/api/v2/reviews/suppressions/';
  const AUTOFILL = '/api/v2/daily-reports/reports/autofill/';

  interface Late {
    readonly method: string;
    readonly path: string;
    readonly token: string;
    readonly body: string;
  }

  /** Sends a request, whose body follows when the gateway has checked the token and something else has been done. */
  async function sendLate({ method, path, token, body }: Late, meanwhile: () => Promise<unknown>) {
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json', expect: '100-continue' };
    const late = httpRequest({ host: '127.0.0.1', port: gateway.port, path, method, agent: false, headers });
    const answered = once(late, 'response') as Promise<[IncomingMessage]>;
    late.flushHeaders();
    await once(late, 'continue');
    await meanwhile();
    gateway.advance(1_000);
    late.end(body);
    const [response] = await answered;
    gateway.advance(-1_000);
    return { status: response.statusCode, json: await jsonOf(response) };
  }

  it.each([
    ['POST', SUPPRESSIONS, '{}'],
    // The token is checked before the record and the body.
    ['PATCH', `${SUPPRESSIONS}${newId()}/`, 'broken'],
  ])('is not executed if the token was revoked meanwhile: %s', async (method, path, body) => {
    const { id, token } = await gateway.issue();
    const sent = gateway.backends.reviews.bodies.length;
    expect(await sendLate({ method, path, token, body }, () => gateway.admin.revoke(id))).toEqual(INVALID);
    expect(gateway.backends.reviews.bodies).toHaveLength(sent);
  });

  it('is not executed if the account was deleted meanwhile', async () => {
    const { id: accountId } = gateway.backends.addAccount();
    const { token } = await gateway.issue({ accountId });
    gateway.backends.dailyReports.asked = undefined;
    const remove = async () => {
      gateway.backends.accounts.delete(accountId);
      await cache.invalidate(accountCacheKey(accountId));
    };
    expect(await sendLate({ method: 'POST', path: AUTOFILL, token, body: '{}' }, remove)).toEqual(INVALID);
    expect(gateway.backends.dailyReports.asked).toBeUndefined();
  });

  it('is executed with the rights that the account has then', async () => {
    const account = gateway.backends.addAccount();
    const { token } = await gateway.issue({ accountId: account.id });
    const visibility = { role: commonV1.Role.ROLE_DEPARTMENT_LEADER, departmentIds: [newId()], projects: undefined };
    const demote = async () => {
      gateway.backends.accounts.set(account.id, { ...account, visibility });
      await cache.invalidate(accountCacheKey(account.id));
    };
    expect(await sendLate({ method: 'POST', path: AUTOFILL, token, body: '{}' }, demote)).toMatchObject(OK);
    expect(gateway.backends.dailyReports.asked).toMatchObject({ caller: { accountId: account.id, visibility } });
  });
});
