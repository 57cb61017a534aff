import { AppError, newId } from '@stechuhr/kernel';
import { invalidToken } from '../domain/token.js';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id under which a request is logged and answered: the client's own when it is sane, else a new one. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && SANE.test(sent) ? sent : newId();
}

/**
 * The token of an `Authorization: Token …` header; the scheme in any case, as Django REST framework reads it.
 *
 * @throws AppError `unauthenticated`: not provided without header, with another scheme or without a token; invalid when more than one word follows
 */
export function tokenOf(authorization: string | undefined): string {
  const [scheme = '', token, ...more] = (authorization ?? '').trim().split(/[ \t]+/);
  if (scheme.toLowerCase() !== 'token' || token === undefined) {
    throw new AppError('unauthenticated', 'Authentication credentials were not provided.');
  }
  if (more.length > 0) throw invalidToken();
  return token;
}

/** The parameters of a query by name, as sent: decoded once, none of them empty. */
export type Query = Readonly<Record<string, string>>;

/** The query of a request target as it was sent, with its question mark; empty when there is none. */
export function rawQueryOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start);
}

/**
 * Reads the query of a request target: the last of a repeated name wins, an empty value counts as not given, brackets are ordinary
 * characters. Decoding is WHATWG's (URL Standard, 5.1), like Django's: `+` is a space, a malformed percent sign stays as it is, bytes that
 * are no UTF-8 become U+FFFD, a NUL is passed on for the field's own rule.
 */
export function parseQuery(target: string): Query {
  const last = new Map(new URLSearchParams(rawQueryOf(target)));
  // fromEntries defines own properties, so that a parameter named __proto__ is one like any other.
  return Object.fromEntries([...last].filter(([, value]) => value !== ''));
}
