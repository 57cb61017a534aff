import { AppError } from '@stechuhr/kernel';
import { invalidToken } from '../domain/token.js';

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
