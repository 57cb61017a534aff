import { AppError, newId } from '@stechuhr/kernel';
import { invalidToken } from '../domain/token.js';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id under which a request is logged and answered: the client's own if it is acceptable, otherwise a new one. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && SANE.test(sent) ? sent : newId();
}

/**
 * The token in an `Authorization: Token …` header; the scheme is case-insensitive, as in Django REST framework.
 * @throws AppError `unauthenticated`: "not provided" without header, with another scheme or without a token; "invalid" if more than one word follows
 */
export function tokenOf(authorization: string | undefined): string {
  const [scheme = '', token, ...more] = (authorization ?? '').trim().split(/[ \t]+/);
  if (scheme.toLowerCase() !== 'token' || token === undefined) {
    throw new AppError('unauthenticated', 'Authentication credentials were not provided.');
  }
  if (more.length > 0) throw invalidToken();
  return token;
}

/** Query parameters by name, decoded once; empty ones are omitted. */
export type Query = Readonly<Record<string, string>>;

/** The query of a request target as sent, including the question mark; empty if there is none. */
export function rawQueryOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start);
}

/**
 * Parses the query of a request target: the last of repeated names wins, an empty value counts as not given, and brackets have no special meaning.
 * Decoding follows the URL Standard (section 5.1), like Django: `+` is a space, malformed percent signs are kept, invalid UTF-8 becomes U+FFFD, and
 * NUL is left to the validation of the field.
 */
export function parseQuery(target: string): Query {
  const last = new Map(new URLSearchParams(rawQueryOf(target)));
  // fromEntries defines own properties, so that even a parameter named __proto__ is an ordinary one.
  return Object.fromEntries([...last].filter(([, value]) => value !== ''));
}
