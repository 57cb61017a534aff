import type { CloudEvent, commonV1 } from '@stechuhr/contracts';
import type { Token } from '../domain/token.js';

/** The tokens of all institutions: a token is looked up before the caller is known, and operators may see all of them. */
export interface TokenStore {
  insert(token: Token, event: CloudEvent): Promise<void>;
  /**
   * Stores a token unless its account already has `max` tokens, even if several are stored concurrently.
   * @returns whether it was stored
   */
  insertWithin(max: number, token: Token, event: CloudEvent): Promise<boolean>;
  findByHash(hash: string): Promise<Token | undefined>;
  findById(id: string): Promise<Token | undefined>;
  /** Oldest first; those of one account, or all. */
  list(accountId: string | undefined): Promise<readonly Token[]>;
  /** The caller's tokens, oldest first. */
  listOwn(caller: Pick<commonV1.Caller, 'institutionId' | 'accountId'>): Promise<readonly Token[]>;
  /** Removes those of the caller's tokens that were revoked, or expired, before that time. */
  removeLapsed(caller: Pick<commonV1.Caller, 'institutionId' | 'accountId'>, before: number): Promise<void>;
  /** Revokes a token that is not revoked yet, and writes its event. */
  revoke(id: string, revokedAt: number, event: CloudEvent): Promise<void>;
  /** Removes a revoked token once its events are published. */
  remove(id: string, removedAt: number): Promise<void>;
  /** Records a use, unless one was recorded less than `intervalMs` before. */
  touch(id: string, usedAt: number, intervalMs: number): Promise<void>;
}

/** The properties of an account that decide what a caller may see. */
export interface Account {
  readonly institutionId: string;
  readonly visibility: commonV1.Visibility;
}

export interface Accounts {
  /** `undefined` if the account does not exist or was deleted. Without an institution, every shard is queried. */
  find(accountId: string, institutionId?: string): Promise<Account | undefined>;
}

/** Cached lookups of the rows that every request needs; `undefined` is not cached. */
export interface Lookups {
  token<T>(hash: string, load: () => Promise<T>): Promise<T>;
  account<T>(accountId: string, load: () => Promise<T>): Promise<T>;
  /** Resolves once no later lookup can return the cached row. */
  forgetToken(hash: string): Promise<void>;
}

/** Remembers the account of a token. This is only a guess: the row of the token decides. */
export interface AccountGuesses {
  get(hash: string): AccountOfToken | undefined;
  set(hash: string, account: AccountOfToken): void;
}

export type AccountOfToken = Pick<Token, 'accountId' | 'institutionId'>;

/** Creates an event about a token. */
export type TokenEvent = (type: 'gateway.token.issued' | 'gateway.token.revoked', token: Token) => CloudEvent;
