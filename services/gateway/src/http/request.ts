import { AppError, newId } from '@stechuhr/kernel';
import { invalidToken } from '../domain/token.js';

// Not an API token, because ids are logged.
const SANE = /^(?!.*stu_)[A-Za-z0-9._-]{1,128}$/;

/** Returns the id of a request for logs and responses: the client's own if it is valid, otherwise a new one. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && SANE.test(sent) ? sent : newId();
}

/**
 * Returns the token of an `Authorization: Token …` header. The scheme is not case-sensitive, as in Django REST framework.
 *
 * @throws AppError `unauthenticated`: "not provided" without the header, the scheme or the token; "invalid" if more than one word follows
 */
export function tokenOf(authorization: string | undefined): string {
  const [scheme = '', token, ...more] = (authorization ?? '').trim().split(/[ \t]+/);
  if (scheme.toLowerCase() !== 'token' || token === undefined) {
    throw new AppError('unauthenticated', 'Authentication credentials were not provided.');
  }
  if (more.length > 0) throw invalidToken();
  return token;
}

/** The parameters of a query by name: decoded once, without empty values. */
export type Query = Readonly<Record<string, string>>;

/** Returns the query of a request target as it was sent, including the question mark. Empty if there is none. */
export function rawQueryOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start);
}

/**
 * Parses the query of a request target. The last value of a repeated name counts, an empty value counts as missing, brackets have no
 * special meaning. Decoding follows the URL Standard of the WHATWG (5.1), like Django: `+` is a space, a malformed percent sign is kept,
 * invalid UTF-8 becomes U+FFFD, and a NUL is passed on for the field to validate.
 */
export function parseQuery(target: string): Query {
  const last = new Map(new URLSearchParams(rawQueryOf(target)));
  // fromEntries defines own properties, so that even a parameter named __proto__ is an ordinary one.
  return Object.fromEntries([...last].filter(([, value]) => value !== ''));
}
