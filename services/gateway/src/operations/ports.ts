import type { CloudEvent, commonV1 } from '@stechuhr/contracts';
import type { Token } from '../domain/token.js';

/** Stores the tokens of all institutions: a token is looked up before the caller is known, and operators see all tokens. */
export interface TokenStore {
  /** Stores a token that nobody sees and nobody can use until it is confirmed. If that does not happen until this time, it may be removed. */
  insert(token: Token, unconfirmedUntil: number): Promise<void>;
  /** Like `insert`, unless its account already has `max` tokens, also under concurrent calls. @returns whether it was stored */
  insertWithin(max: number, token: Token, unconfirmedUntil: number): Promise<boolean>;
  /** Makes a stored token valid, and stores the event in the same write. @returns false if it was removed meanwhile */
  confirm(id: string, event: CloudEvent): Promise<boolean>;
  /** Removes an unconfirmed token, those of an account, or all whose time has passed. */
  removeUnconfirmed(which: UnconfirmedTokens): Promise<void>;
  findByHash(hash: string): Promise<Token | undefined>;
  findById(id: string): Promise<Token | undefined>;
  /** Returns the tokens of one account or of all, oldest first. */
  list(accountId: string | undefined): Promise<readonly Token[]>;
  /** Returns the tokens of the caller's account, oldest first. */
  listOwn(caller: Pick<commonV1.Caller, 'institutionId' | 'accountId'>): Promise<readonly Token[]>;
  /** Deletes the caller's tokens that were revoked or expired before this time. */
  removeLapsed(caller: Pick<commonV1.Caller, 'institutionId' | 'accountId'>, before: number): Promise<void>;
  /** Revokes a token that is not revoked yet, and stores the event in the same write. */
  revoke(id: string, revokedAt: number, event: CloudEvent): Promise<void>;
  /** Deletes a revoked token as soon as its events are published. */
  remove(id: string, removedAt: number): Promise<void>;
  /** Records a use, unless one was recorded less than `intervalMs` before. */
  touch(id: string, usedAt: number, intervalMs: number): Promise<void>;
}

export type UnconfirmedTokens = Pick<Token, 'id'> | AccountOfToken | { readonly before: number };

/** The part of an account that determines what a caller sees. */
export interface Account {
  readonly institutionId: string;
  readonly visibility: commonV1.Visibility;
}

export interface Accounts {
  /** Returns undefined if the account does not exist or was deleted. Without an institution, the query runs on all shards. */
  find(accountId: string, institutionId?: string): Promise<Account | undefined>;
}

/** Cached lookups of every request. `undefined` values are not cached. */
export interface Lookups {
  token<T>(hash: string, load: () => Promise<T>): Promise<T>;
  account<T>(accountId: string, load: () => Promise<T>): Promise<T>;
  /** Resolves once no later lookup can return the cached value. */
  forgetToken(hash: string): Promise<void>;
}

/** The account to which a token last belonged. It is only a guess; the stored token is authoritative. */
export interface AccountGuesses {
  get(hash: string): AccountOfToken | undefined;
  set(hash: string, account: AccountOfToken): void;
}

export type AccountOfToken = Pick<Token, 'accountId' | 'institutionId'>;

/** Creates an event about a token. */
export type TokenEvent = (type: 'gateway.token.issued' | 'gateway.token.revoked', token: Token) => CloudEvent;
