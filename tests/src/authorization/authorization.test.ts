import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTokenAdmin, type IssuedToken, type TokenAdmin } from '@stechuhr/gateway/admin';
import type { OpenApiDocument } from '../support/document-schemas.js';
import { call, type Answer } from '../support/http.js';
import type { UsedPlatform } from '../support/platform.js';
import { sharedPlatform } from '../support/shared-platform.js';
import { Scene, sceneOrganization, send, type OperationRequest } from '../support/scene.js';
import { matrix, open, specScopes, strictScopes, type Row } from './table.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const EXPIRED = '2020-01-01T00:00:00';
/** Number of concurrent requests. */
const CONCURRENCY = 8;

const organization = sceneOrganization(71);
const { accounts, lines } = organization;

let platform: UsedPlatform;
let admin: TokenAdmin;
let scene: Scene;
let operations: readonly string[];

beforeAll(async () => {
  platform = await sharedPlatform();
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  const { mongodb, redis } = platform.run.infra;
  admin = await openTokenAdmin({
    mongodbUrl: mongodb,
    database: 'stechuhr_gateway',
    redisUrl: redis,
    recordsAddress: platform.run.services['records']?.grpc ?? '',
    logger: silent,
  });
  scene = new Scene(organization, platform, await issue({ accountId: accounts.own }));
  const { paths } = (await call(`${platform.baseUrl}/openapi.json`)).json as OpenApiDocument;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
});
afterAll(async () => {
  await admin.close();
});

async function issue(request: Parameters<TokenAdmin['issue']>[0]): Promise<string> {
  return (await admin.issue(request)).token;
}

/** Processes all items with limited concurrency; results keep the order of the items. */
async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

const rows = Object.entries(matrix);

describe('the authorization matrix', () => {
  it('has exactly one row for each served operation', () => {
    expect([...Object.keys(matrix), ...open].sort()).toEqual(operations.toSorted());
  });

  it.each(['revoked', 'expired', 'malformed', undefined])('answers 401 if the token is %s', async (what) => {
    const tokens = {
      expired: () => issue({ accountId: accounts.own, expiresAt: EXPIRED }),
      malformed: async () => 'stu_x',
      async revoked() {
        const { id, token } = await admin.issue({ accountId: accounts.own });
        await admin.revoke(id);
        return token;
      },
    };
    const token = what === undefined ? undefined : await tokens[what as keyof typeof tokens]();
    const statuses = await each(rows, async ([operation]) => {
      return [operation, (await send(platform, operation, await scene.harmless(operation), token)).status];
    });
    expect(statuses).toEqual(rows.map(([operation]) => [operation, 401]));
  });

  it.each(['own', 'leader', 'other', 'foreign', 'revoked', 'expired'] as const)(
    'allows tokens only what their scopes permit (non-strict ones also operations for which the spec names no scope): %s',
    async (kind) => {
      const tokens = rightsFor(kind);
      const requests = new Map<string, OperationRequest>();
      for (const [operation] of rows) requests.set(operation, await scene.harmless(operation));
      for (const { scopes, strict } of tokens) {
        const { token } = await tokenOf(kind, { scopes, strict });
        const answers = await each(rows, async ([operation]) => send(platform, operation, requests.get(operation) ?? { path: '' }, token));
        const expected = rows.map(([operation, row]) => {
          const isNamed = row.scope === null || scopes.includes(row.scope) || (!strict && !specScopes.includes(row.scope));
          return `${operation}: ${expectedOf(kind, row, isNamed ? undefined : strict ? row.scope : '')}`;
        });
        expect({ scopes, strict, answers: rows.map(([operation], at) => `${operation}: ${done(answers[at])}`) }).toEqual({
          scopes,
          strict,
          answers: expected,
        });
      }
    },
  );

  it.each(['foreign', 'other', 'leader', 'own'] as const)('shows each account only what it may see: %s', async (account) => {
    const token = await issue({ accountId: accounts[account] });
    const seen: [string, unknown][] = [];
    // One after the other, since some rows remove what others request.
    for (const [operation, row] of rows) {
      const asked = await scene.requestFor(operation);
      const answer = await send(platform, operation, asked, token);
      seen.push([operation, typeof row[account] === 'number' ? answer.status : shown(answer, asked)]);
    }
    expect(seen).toEqual(rows.map(([operation, row]) => [operation, row[account]]));
  });
});

type Kind = 'own' | 'leader' | 'other' | 'foreign' | 'revoked' | 'expired';

async function tokenOf(kind: Kind, rights: TokenRights): Promise<IssuedToken> {
  if (kind === 'expired') return admin.issue({ accountId: accounts.own, ...rights, expiresAt: EXPIRED });
  if (kind !== 'revoked') return admin.issue({ accountId: accounts[kind], ...rights });
  const issued = await admin.issue({ accountId: accounts.own, ...rights });
  await admin.revoke(issued.id);
  return issued;
}

/** @param lacking the missing scope, as a response names it; undefined if there is none */
function expectedOf(kind: Kind, row: Row, lacking: string | null | undefined): string {
  if (kind === 'revoked' || kind === 'expired') return '401';
  if (lacking !== undefined) return `403 ${lacking ?? ''}`;
  return row[kind] === 403 ? '403 ' : 'done';
}

interface TokenRights {
  readonly scopes: readonly string[];
  readonly strict: boolean;
}

/**
 * The tokens to try. Those of the first account have one scope each. The others share out all scopes, so that one permits what the other one does not.
 * Scopes are not even read if the token is invalid.
 */
function rightsFor(kind: Kind): readonly TokenRights[] {
  const [lax, strict] = [specScopes, [...specScopes, ...strictScopes]];
  if (kind === 'revoked' || kind === 'expired') return [tokenWith(false, lax.slice(0, 1)), tokenWith(true, strict.slice(-1))];
  const sharesOf = (scopes: readonly string[]) =>
    kind === 'own' ? scopes.map((scope) => [scope]) : [0, 1].map((rest) => scopes.filter((_, at) => at % 2 === rest));
  return [...sharesOf(lax).map((scopes) => tokenWith(false, scopes)), ...sharesOf(strict).map((scopes) => tokenWith(true, scopes))];
}

const tokenWith = (strict: boolean, scopes: readonly string[]): TokenRights => ({ scopes, strict });

/** What a response says about a scope. */
function done(answer: Answer | undefined): string {
  if (answer?.status === 401 || answer === undefined || answer.status >= 500) return String(answer?.status);
  if (answer.status !== 403) return 'done';
  return `403 ${/lacks the scope (\S+)\./.exec(answer.text)?.[1] ?? ''}`;
}

function shown({ status, text }: Answer, { marker = '' }: OperationRequest): string | number {
  if (status !== 200) return status;
  return text.includes(marker) ? 'listed' : 'hidden';
}
