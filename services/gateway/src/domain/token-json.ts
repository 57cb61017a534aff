import { formatLocalDateTime } from '@stechuhr/worktime';
import type { Token } from './token.js';

/** A token as the API returns it, without its secret. Datetimes are Europe/Berlin without designator. */
export interface ShownToken {
  readonly id: string;
  readonly prefix: string;
  readonly name: string | null;
  readonly account_id: string;
  readonly scopes: readonly string[] | null;
  /** Whether the token may do no more than its scopes allow. */
  readonly strict: boolean;
  readonly issued_by: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export function shownToken(token: Token): ShownToken {
  return {
    id: token.id,
    prefix: token.prefix,
    name: token.name,
    account_id: token.accountId,
    scopes: token.scopes,
    strict: token.strict,
    issued_by: token.issuedBy,
    created_at: formatLocalDateTime(Math.floor(token.createdAt / 1000)),
    expires_at: localTime(token.expiresAt),
    last_used_at: localTime(token.lastUsedAt),
    revoked_at: localTime(token.revokedAt),
  };
}

/** @param time milliseconds since the epoch */
export function localTime(time: number | null): string | null {
  return time === null ? null : formatLocalDateTime(Math.floor(time / 1000));
}
