import type { CloudEvent, commonV1 } from '@stechuhr/contracts';
import type { Token } from '../domain/token.js';

/** The tokens of all institutions: a token is looked up before there is a caller, and operators see them all. */
export interface TokenStore {
  insert(token: Token, event: CloudEvent): Promise<void>;
  /** Stores a token unless its account has so many by then, also when several are stored at the same time. @returns whether it was */
  insertWithin(max: number, token: Token, event: CloudEvent): Promise<boolean>;
  findByHash(hash: string): Promise<Token | undefined>;
  findById(id: string): Promise<Token | undefined>;
  /** Oldest first; of one account or of all. */
  list(accountId: string | undefined): Promise<readonly Token[]>;
  /** Oldest first; the caller's. */
  listOwn(caller: Pick<commonV1.Caller, 'institutionId' | 'accountId'>): Promise<readonly Token[]>;
  /** Removes those of the caller's tokens that were revoked, or expired, before that time. */
  removeLapsed(caller: Pick<commonV1.Caller, 'institutionId' | 'accountId'>, before: number): Promise<void>;
  /** Revokes a token that is not revoked yet; its event is written with it. */
  revoke(id: string, revokedAt: number, event: CloudEvent): Promise<void>;
  /** Removes the row of a revoked token, as soon as its events are published. */
  remove(id: string, removedAt: number): Promise<void>;
  /** Notes a use, unless one was noted less than `intervalMs` before. */
  touch(id: string, usedAt: number, intervalMs: number): Promise<void>;
}

/** What of an account decides what a caller sees. */
export interface Account {
  readonly institutionId: string;
  readonly visibility: commonV1.Visibility;
}

export interface Accounts {
  /** `undefined` when the account does not exist or was deleted. Without an institution every shard is asked. */
  find(accountId: string, institutionId?: string): Promise<Account | undefined>;
}

/** Rows that are looked up with every request; a value that is `undefined` is not kept. */
export interface Lookups {
  token<T>(hash: string, load: () => Promise<T>): Promise<T>;
  account<T>(accountId: string, load: () => Promise<T>): Promise<T>;
  /** Resolves when no later lookup can find what was kept before. */
  forgetToken(hash: string): Promise<void>;
}

/** The account that a token last had. Only a guess: the token's row decides. */
export interface AccountGuesses {
  get(hash: string): AccountOfToken | undefined;
  set(hash: string, account: AccountOfToken): void;
}

export type AccountOfToken = Pick<Token, 'accountId' | 'institutionId'>;

/** Makes an event about a token. */
export type TokenEvent = (type: 'gateway.token.issued' | 'gateway.token.revoked', token: Token) => CloudEvent;
