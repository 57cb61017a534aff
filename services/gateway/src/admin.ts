import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  parseUuid,
  systemClock,
  type Clock,
  type Inspection,
  type InspectionTerms,
  type Logger,
  type Remains,
} from '@stechuhr/kernel';
import { connectMongo, outboxInspections, outboxOf } from '@stechuhr/mongo';
import { recordsV1, type commonV1 } from '@stechuhr/contracts';
import { accessCache, connectRedis, createLookupCache, type RedisClient } from '@stechuhr/redis';
import { createGrpcClient } from '@stechuhr/service';
import { formatLocalDateTime } from '@stechuhr/worktime';
import { createLookups } from './clients/redis.js';
import { accountsOf } from './clients/services.js';
import { localTime, shownToken } from './domain/token-json.js';
import type { TokenRequest } from './domain/token-request.js';
import type { Token } from './domain/token.js';
import { tokenEvents } from './events/tokens.js';
import { authenticate } from './operations/authenticate.js';
import { issueToken } from './operations/issue-token.js';
import { revokeToken } from './operations/revoke-token.js';
import { tokenModel } from './store/token-model.js';
import { createTokenStore } from './store/token-store.js';

export { judgeTokenRequest, type TokenRequest } from './domain/token-request.js';

export interface TokenAdminOptions {
  readonly mongodbUrl: string;
  /** The database of the gateway, `stechuhr_gateway` unless configured otherwise. */
  readonly database: string;
  readonly redisUrl: string;
  /** `host:port` of the records service, which stores the accounts. */
  readonly recordsAddress: string;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** A token that was just issued. Only here does the token itself appear. Datetimes are Europe/Berlin without designator. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
  readonly account_id: string;
  readonly scopes: readonly string[] | null;
  /** Only present for strict tokens, which may do no more than their scopes allow. */
  readonly strict?: true;
  readonly expires_at: string | null;
}

export interface ListedToken {
  readonly id: string;
  readonly prefix: string;
  readonly name: string | null;
  readonly account_id: string;
  readonly scopes: readonly string[] | null;
  readonly strict?: true;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface RevokedToken {
  readonly id: string;
  readonly revoked_at: string;
}

/** The token operations of operators. A running gateway publishes their events. */
export interface TokenAdmin {
  /** @throws AppError `invalid` (bad id, name, scope or expiry; wrong usage), `not_found` (no such account), `unavailable` */
  issue(request: TokenRequest): Promise<IssuedToken>;
  /** Lists the tokens of one account or of all, oldest first. @throws AppError `invalid` for an invalid account id */
  list(filter?: { readonly accountId?: string }): Promise<ListedToken[]>;
  /**
   * Revokes a token, effective at once on every gateway. If it was revoked before, returns the time of that revocation. @throws AppError
   * `not_found`
   */
  revoke(id: string): Promise<RevokedToken>;
  /** Returns the caller that the API derives from a token. @throws AppError `unauthenticated` as the API does */
  callerOf(token: string): Promise<commonV1.Caller>;
  /** Inspects the token store for leftovers. */
  inspect(terms: Omit<InspectionTerms, 'signal'>): Promise<readonly (Remains & Pick<Inspection, 'check' | 'place'>)[]>;
  close(): Promise<void>;
}

const REDIS_WAIT_MS = 2_000;
/** A command can afford to wait for the connection, and the machine may be busy starting the platform. */
const CONNECT_MS = 15_000;

/** Connects to the stores of the gateway. @throws AppError `invalid` for an invalid Redis URL, or the error of the MongoDB driver */
export async function openTokenAdmin(options: TokenAdminOptions): Promise<TokenAdmin> {
  const { mongodbUrl, database, redisUrl, recordsAddress, logger, clock = systemClock } = options;
  // Created first, because it may throw, before there is a connection to close.
  const redis = redisAt(redisUrl, logger);
  // Awaited from now on, since it may happen while MongoDB is still being connected.
  const isReady = once(redis, 'ready').catch(() => undefined);
  const mongo = await connectMongo({ url: mongodbUrl, database, logger, appName: 'token-admin' }).catch((caught: unknown) => {
    redis.disconnect();
    throw caught;
  });
  // Without Redis, a revocation takes a minute to take effect, so it is worth waiting briefly for the connection.
  await Promise.race([isReady, delay(REDIS_WAIT_MS, undefined, { ref: false })]);
  const records = createGrpcClient(recordsV1.RecordsServiceClient, recordsAddress, { connectMs: CONNECT_MS });
  const model = tokenModel(mongo.connection);
  const tokens = createTokenStore(model);
  const inspections = outboxInspections([outboxOf(model.collection)], mongo.connection.collection('claimed_slices'));
  const lookups = createLookups(createLookupCache({ redis, ...accessCache }));
  const ports = { tokens, lookups, accounts: accountsOf(records), event: tokenEvents(clock), clock };
  return {
    async issue(request) {
      const { secret, token } = await issueToken(ports, request);
      const { id, accountId, expiresAt } = token;
      return { id, token: secret, account_id: accountId, ...rightsOf(token), expires_at: localTime(expiresAt) };
    },
    async list({ accountId } = {}) {
      return (await tokens.list(accountId === undefined ? undefined : uuid(accountId))).map(toListed);
    },
    async revoke(id) {
      const { revokedAt, ...revoked } = await revokeToken(ports, id);
      return { ...revoked, revoked_at: formatLocalDateTime(Math.floor(revokedAt / 1000)) };
    },
    callerOf: async (token) => (await authenticate({ ...ports, guesses: new Map(), logger }, token)).caller,
    inspect(terms) {
      const { signal } = new AbortController();
      return Promise.all(
        inspections.map(async ({ check, place, inspect }) => {
          const { count, examples, repaired } = await inspect({ ...terms, signal });
          return { check, place, count, examples, repaired };
        }),
      );
    },
    async close() {
      records.close();
      redis.disconnect();
      await mongo.close();
    },
  };
}

/** @throws AppError `invalid` */
function redisAt(url: string, logger: Logger): RedisClient {
  try {
    return connectRedis({ url, logger });
  } catch (cause) {
    throw new AppError('invalid', `REDIS_URL ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

function uuid(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw AppError.invalid({ account_id: ['Must be a valid UUID.'] });
  return id;
}

function toListed(token: Token): ListedToken {
  const { created_at, expires_at, last_used_at, revoked_at } = shownToken(token);
  return {
    id: token.id,
    prefix: token.prefix,
    name: token.name,
    account_id: token.accountId,
    ...rightsOf(token),
    created_at,
    expires_at,
    last_used_at,
    revoked_at,
  };
}

function rightsOf({ scopes, strict }: Token): Pick<ListedToken, 'scopes' | 'strict'> {
  return { scopes, ...(strict && { strict }) };
}
