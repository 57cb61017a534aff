import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

const TOKENS = '/api/v2/tokens/';
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;
const DAY_MS = 86_400_000;

interface Issued {
  readonly id: string;
  readonly token: string;
}

let gateway: TestGateway;
let events: SubjectWatch;

beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  events = await watchSubjects(gateway.servers.natsUrl, 'stechuhr.events.>');
});
afterAll(async () => {
  await events.stop();
  await gateway.stop();
});

const get = (token: string, path = TOKENS) => call(gateway.port, path, { token });
const remove = (token: string, id: string) => call(gateway.port, `${TOKENS}${id}/`, { token, method: 'DELETE' });
const post = (token: string, body: object) =>
  call(gateway.port, TOKENS, { token, method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
const issued = async (token: string, body: object): Promise<Issued> => {
  const { status, json } = await post(token, body);
  expect(status).toBe(201);
  return json as Issued;
};

describe('issuing a token for the own account', () => {
  it('shows it once, stores with which token it was issued, and publishes an event', async () => {
    const requesting = await gateway.issue();
    const { json } = await post(requesting.token, {
      name: ' Lohnbüro ',
      scopes: ['exports:run'],
      strict: true,
      expires_at: '2099-07-01T12:00',
    });
    const shown = {
      id: expect.any(String),
      prefix: expect.stringMatching(/^stu_/),
      name: 'Lohnbüro',
      account_id: requesting.account_id,
      scopes: ['exports:run'],
      strict: true,
      issued_by: requesting.id,
      created_at: expect.stringMatching(LOCAL),
      expires_at: '2099-07-01T12:00:00',
      last_used_at: null,
      revoked_at: null,
    };
    expect(json).toEqual({ ...shown, token: expect.stringMatching(/^stu_[0-9A-Za-z]{49}$/) });
    const { id, token } = json as Issued;
    expect((await get(requesting.token, `${TOKENS}${id.toUpperCase()}/`)).json).toEqual(shown);
    const message = await events.next(({ text }) => text.includes(id));
    expect(message.subject).toMatch(/\.gateway\.token\.issued$/);
    expect(message.text).not.toContain(token);
    expect((await get(token)).json).toEqual({
      detail: 'You do not have permission to perform this action. The token lacks the scope tokens:view.',
    });
  });

  it('issues it for the account of the caller, even if another institution has the same id', async () => {
    const requesting = await gateway.issue();
    const account = gateway.backends.accounts.get(requesting.account_id);
    const other = { ...account, institutionId: newId() } as recordsV1.Account;
    gateway.backends.elsewhere.push(other);
    const { id, token } = await issued(requesting.token, { name: 'Büro' });
    expect((await get(requesting.token, `${TOKENS}${id}/`)).status).toBe(200);
    expect((await get(token)).json).toMatchObject({ count: 2 });
    const { subject } = await events.next(({ text }) => text.includes(id));
    expect(subject).toBe(`stechuhr.events.${String(account?.institutionId)}.gateway.token.issued`);
  });

  it('takes missing fields from the requesting token', async () => {
    const scopes = ['exports:run', 'tokens:edit'];
    const requesting = await gateway.issue({ scopes, strict: true, expiresAt: '2099-01-01T00:00:00' });
    const { json } = await post(requesting.token, { name: 'a' });
    expect(json).toMatchObject({ scopes, strict: true, expires_at: '2099-01-01T00:00:00' });
    const free = await gateway.issue();
    expect((await post(free.token, { name: 'a', scopes: null, strict: null, expires_at: null })).json).toMatchObject({
      scopes: null,
      strict: false,
      expires_at: null,
    });
  });

  it('never grants more than the requesting token has', async () => {
    const strict = await gateway.issue({ scopes: ['exports:run', 'tokens:edit'], strict: true, expiresAt: '2030-01-01T00:00:00' });
    const lax = await gateway.issue({ scopes: ['daily_reports:view'] });
    const name = 'a';
    const cases: readonly (readonly [string, object, object])[] = [
      [
        strict.token,
        { name, scopes: ['records:view', 'exports:run'] },
        { scopes: ['"records:view" is not granted to the requesting token.'] },
      ],
      [strict.token, { name, strict: false, scopes: ['daily_reports:view'] }, { scopes: [expect.stringContaining('is restricted')] }],
      [strict.token, { name, expires_at: '2030-01-01T00:00:01' }, { expires_at: [expect.stringContaining('2030-01-01T00:00:00')] }],
      [strict.token, { name, expires_at: '2020-01-01T00:00:00' }, { expires_at: ['The token would have expired already.'] }],
      [lax.token, { name, scopes: ['daily_reports:edit'] }, { scopes: ['"daily_reports:edit" is not granted to the requesting token.'] }],
      [
        lax.token,
        { scopes: ['x'], strict: 'yes', expires_at: 'never' },
        {
          name: ['This field is required.'],
          scopes: ['"x" is not a valid choice.'],
          strict: ['Must be a valid boolean.'],
          expires_at: [expect.stringContaining('wrong format')],
        },
      ],
      [
        strict.token,
        { name, scopes: ['records:view'], expires_at: 'never' },
        {
          scopes: ['"records:view" is not granted to the requesting token.'],
          expires_at: [expect.stringContaining('wrong format')],
        },
      ],
      [
        strict.token,
        { name, scopes: [], expires_at: '2030-01-01T00:00:01' },
        { scopes: ['This list may not be empty.'], expires_at: [expect.stringContaining('2030-01-01T00:00:00')] },
      ],
      [lax.token, { name, scopes: 'exports:run' }, { scopes: ['Expected a list of items but got type "str".'] }],
      [lax.token, { name, scopes: [] }, { scopes: ['This list may not be empty.'] }],
    ];
    for (const [token, body, problems] of cases)
      expect([body, await post(token, body)]).toMatchObject([body, { status: 400, json: problems }]);
    expect(await post(lax.token, { name, scopes: ['exports:run'], strict: true })).toMatchObject({ status: 201 });
  });

  it('allows a hundred tokens, not counting those that lapsed more than a month ago', async () => {
    const requesting = await gateway.issue();
    const first = await issued(requesting.token, { name: 'first' });
    expect(await remove(requesting.token, first.id)).toMatchObject({ status: 204 });
    for (let made = 2; made < 95; made += 1) await issued(requesting.token, { name: String(made) });
    const full = { status: 400, json: { non_field_errors: [expect.stringContaining('at most 100 tokens')] } };
    const together = await Promise.all(Array.from({ length: 10 }, (_, one) => post(requesting.token, { name: `together ${String(one)}` })));
    expect(together.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const refused of together.filter(({ status }) => status !== 201)) expect(refused).toMatchObject(full);
    expect(await post(requesting.token, { name: 'one more' })).toMatchObject(full);
    gateway.advance(31 * DAY_MS);
    // One that was revoked goes when its last event has been published.
    await waitFor(async () => (await post(requesting.token, { name: 'one more' })).status === 201);
    expect(await get(requesting.token, `${TOKENS}${first.id}/`)).toMatchObject({ status: 404 });
    gateway.advance(-31 * DAY_MS);
  });
});

describe('the list of the account’s tokens', () => {
  it('is paginated and sorted, without tokens of other accounts', async () => {
    const requesting = await gateway.issue({ name: 'old' });
    await gateway.issue();
    const second = await issued(requesting.token, { name: 'new' });
    const { json } = await get(requesting.token);
    expect(json).toMatchObject({
      count: 2,
      results: [
        { id: requesting.id, issued_by: null },
        { id: second.id, issued_by: requesting.id },
      ],
    });
    expect(JSON.stringify(json)).not.toContain(second.token);
    expect((await get(requesting.token, `${TOKENS}?order=-created_at&limit=1`)).json).toMatchObject({
      count: 2,
      next: expect.stringContaining('offset=1'),
      results: [{ id: second.id }],
    });
    expect(await get(requesting.token, `${TOKENS}?order=name`)).toMatchObject({ status: 400, json: { $query: [expect.any(String)] } });
  });
});

describe('revoking a token of the account', () => {
  it('takes effect at once, even for the requesting token', async () => {
    const requesting = await gateway.issue();
    const replacement = await issued(requesting.token, { name: 'replacement' });
    expect(await remove(requesting.token, requesting.id)).toMatchObject({ status: 204 });
    expect(await get(requesting.token)).toMatchObject({ status: 401 });
    expect((await get(replacement.token, `${TOKENS}${requesting.id}/`)).json).toMatchObject({ revoked_at: expect.stringMatching(LOCAL) });
    expect(await remove(replacement.token, requesting.id)).toMatchObject({ status: 204 });
  });

  it('leaves none that it issues with a request whose body arrives later', async () => {
    const leaked = await gateway.issue();
    const own = await issued(leaked.token, { name: 'replacement' });
    const headers = { authorization: `Token ${leaked.token}`, 'content-type': 'application/json', expect: '100-continue' };
    const late = httpRequest({ host: '127.0.0.1', port: gateway.port, path: TOKENS, method: 'POST', agent: false, headers });
    const answered = once(late, 'response') as Promise<[IncomingMessage]>;
    late.flushHeaders();
    // The gateway asks for the body when it has checked the token.
    await once(late, 'continue');
    expect(await remove(own.token, leaked.id)).toMatchObject({ status: 204 });
    late.end(JSON.stringify({ name: 'late' }));
    const [response] = await answered;
    expect([response.statusCode, await jsonOf(response)]).toEqual([401, { detail: 'Invalid token.' }]);
    const { results } = (await get(own.token)).json as { results: { name: string; revoked_at: string | null }[] };
    expect(results.filter(({ revoked_at: revokedAt }) => revokedAt === null).map(({ name }) => name)).toEqual(['replacement']);
  });

  it('is refused for tokens with more permissions; tokens of other accounts are not found', async () => {
    const free = await gateway.issue();
    const strict = await issued(free.token, { name: 'strict', scopes: ['tokens:view', 'tokens:edit'], strict: true });
    expect(await remove(strict.token, free.id)).toMatchObject({ status: 403 });
    const other = await gateway.issue();
    expect(await remove(other.token, strict.id)).toMatchObject({ status: 404 });
    expect(await get(strict.token)).toMatchObject({ status: 200 });
    expect(await remove(strict.token, strict.id)).toMatchObject({ status: 204 });
  });
});
