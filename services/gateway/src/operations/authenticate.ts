import type { commonV1 } from '@stechuhr/contracts';
import type { Clock, Logger } from '@stechuhr/kernel';
import { invalidToken, isUsable, type Rights, type Token } from '../domain/token.js';
import { hashToken, isToken } from '../domain/token-format.js';
import type { Account, AccountGuesses, AccountOfToken, Accounts, Lookups, TokenStore } from './ports.js';

/** The caller and the permissions of its token. */
export interface Principal extends Rights {
  readonly tokenId: string;
  /** When the token expires, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
  readonly caller: commonV1.Caller;
}

interface Ports {
  readonly tokens: TokenStore;
  readonly accounts: Accounts;
  readonly lookups: Lookups;
  readonly guesses: AccountGuesses;
  readonly clock: Clock;
  readonly logger: Logger;
}

const TOUCH_INTERVAL_MS = 60_000;

/**
 * Authenticates a token. The token and its account are cached under separate keys, so that both a revocation and a change of the account
 * take effect at once. If the token was seen before, both are looked up in parallel.
 *
 * @throws AppError `unauthenticated` for a token that is malformed, unknown, revoked or expired, or whose account was deleted;
 * `unavailable`
 */
export async function authenticate(ports: Ports, secret: string): Promise<Principal> {
  if (!isToken(secret)) throw invalidToken();
  const now = ports.clock.now();
  const hash = hashToken(secret);
  const guess = ports.guesses.get(hash);
  const guessed = guess === undefined ? undefined : findAccount(ports, guess);
  // A failure of this lookup matters only if the token turns out to be valid.
  guessed?.catch(() => undefined);
  const token = await lookUpToken(ports, hash, now);
  if (token === undefined || !isUsable(token, now)) throw invalidToken();
  ports.guesses.set(hash, { accountId: token.accountId, institutionId: token.institutionId });
  const isGuessed = guess?.accountId === token.accountId && guess.institutionId === token.institutionId;
  const account = await (guessed !== undefined && isGuessed ? guessed : findAccount(ports, token));
  // If the id now belongs to another institution, it is not the account for which the token was issued.
  if (account?.institutionId !== token.institutionId) throw invalidToken();
  return {
    tokenId: token.id,
    expiresAt: token.expiresAt,
    scopes: token.scopes,
    strict: token.strict,
    caller: { institutionId: account.institutionId, accountId: token.accountId, visibility: account.visibility },
  };
}

/**
 * Returns an account. Accounts are cached by id only, and in a sharded cluster two institutions may have accounts with the same id
 * (docs/sharding.md). A cached account of another institution is therefore ignored, so that it does not lock out this one.
 */
async function findAccount({ lookups, accounts }: Ports, { accountId, institutionId }: AccountOfToken): Promise<Account | undefined> {
  const load = () => accounts.find(accountId, institutionId);
  const kept = await lookups.account(accountId, load);
  return kept === undefined || kept.institutionId === institutionId ? kept : load();
}

/**
 * Looks up a token. Tokens are cached for a minute for all gateways, so recording the use on every load records it about once a minute. The
 * request does not wait for that.
 */
async function lookUpToken(ports: Ports, hash: string, now: number): Promise<Token | undefined> {
  return ports.lookups.token(hash, async () => {
    const token = await ports.tokens.findByHash(hash);
    if (token !== undefined && isUsable(token, now) && (token.lastUsedAt ?? 0) + TOUCH_INTERVAL_MS <= now) {
      ports.tokens
        .touch(token.id, now, TOUCH_INTERVAL_MS)
        .catch((caught: unknown) => ports.logger.warn({ err: caught }, 'the use of a token was not noted'));
    }
    return token;
  });
}
