import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { type Answer, answerOf, HttpError, methodNotAllowed, notAcceptable, notFound, throttled } from './answers.js';

describe('answerOf', () => {
  it.each<[string, unknown, Answer]>([
    [
      'field errors',
      AppError.invalid({ daterange: ['This field is required.'] }),
      { status: 400, body: { daterange: ['This field is required.'] } },
    ],
    [
      'nested lists with their positions',
      AppError.invalid({ config: [{}, { types: ['…'] }] }),
      { status: 400, body: { config: [{}, { types: ['…'] }] } },
    ],
    [
      'an invalid request without fields',
      new AppError('invalid', 'JSON parse error - x'),
      { status: 400, body: { detail: 'JSON parse error - x' } },
    ],
    ['a wrong state', new AppError('precondition', 'Archived.'), { status: 400, body: { non_field_errors: ['Archived.'] } }],
    ['a conflict', new AppError('conflict', 'Exists.'), { status: 400, body: { non_field_errors: ['Exists.'] } }],
    [
      'missing credentials',
      new AppError('unauthenticated', 'Invalid token.'),
      { status: 401, headers: { 'WWW-Authenticate': 'Token' }, body: { detail: 'Invalid token.' } },
    ],
    [
      'a missing permission',
      new AppError('forbidden', 'Needs x:y.'),
      { status: 403, body: { detail: 'You do not have permission to perform this action.' } },
    ],
    ['a missing object', new AppError('not_found', 'No employee 1.'), { status: 404, body: { detail: 'Not found.' } }],
    [
      'a service that is unavailable',
      new AppError('unavailable', 'Unavailable.'),
      { status: 503, headers: { 'Retry-After': '5' }, body: { detail: 'Unavailable.' } },
    ],
    [
      'a limit of a service',
      new AppError('rate_limited', 'Slow down.'),
      { status: 429, headers: { 'Retry-After': '5' }, body: { detail: 'Slow down.' } },
    ],
    ['an internal error', new AppError('internal', 'db at 10.0.0.1'), { status: 500, body: { detail: 'A server error occurred.' } }],
    ['anything else', new TypeError('x is undefined'), { status: 500, body: { detail: 'A server error occurred.' } }],
    ['nothing', undefined, { status: 500, body: { detail: 'A server error occurred.' } }],
    ['an outcome of HTTP', new HttpError(notFound), { status: 404, body: { detail: 'Not found.' } }],
  ])('answers %s', (_, caught, answer) => {
    expect(answerOf(caught)).toEqual(answer);
  });
});

describe('stock answers', () => {
  it('have the texts of Django REST framework', () => {
    expect(methodNotAllowed('PUT', 'GET, HEAD, OPTIONS')).toEqual({
      status: 405,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
      body: { detail: 'Method "PUT" not allowed.' },
    });
    expect(throttled(7)).toEqual({
      status: 429,
      headers: { 'Retry-After': '7' },
      body: { detail: 'Request was throttled. Expected available in 7 seconds.' },
    });
    expect(notAcceptable).toEqual({ status: 406, body: { detail: 'Could not satisfy the request Accept header.' } });
  });
});
