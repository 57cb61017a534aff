import { describe, expect, it } from '@jest/globals';
import { isUuid } from '@stechuhr/kernel';
import { parseQuery, rawQueryOf, requestIdOf, tokenOf } from './request.js';

describe('requestIdOf', () => {
  it.each(['a', 'A-b_c.9', 'x'.repeat(128)])('accepts %j', (sent) => {
    expect(requestIdOf(sent)).toBe(sent);
  });

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a,b', 'ä', 'a\n', '<script>', 'a/b', 'stu_x', 'job-stu_x'])(
    'replaces %j by a UUID',
    (sent) => {
      expect(isUuid(requestIdOf(sent))).toBe(true);
    },
  );
});

describe('tokenOf', () => {
  it.each([
    ['Token stu_x', 'stu_x'],
    ['token stu_x', 'stu_x'],
    ['TOKEN \t stu_x ', 'stu_x'],
  ])('reads %j', (header, token) => {
    expect(tokenOf(header)).toBe(token);
  });

  it.each([
    [undefined, 'Authentication credentials were not provided.'],
    ['', 'Authentication credentials were not provided.'],
    ['Bearer stu_x', 'Authentication credentials were not provided.'],
    ['Token', 'Authentication credentials were not provided.'],
    ['stu_x', 'Authentication credentials were not provided.'],
    ['Tokenstu_x', 'Authentication credentials were not provided.'],
    ['Token stu_x stu_y', 'Invalid token.'],
  ])('refuses %j', (header, message) => {
    expect(() => tokenOf(header)).toThrow(expect.objectContaining({ code: 'unauthenticated', message }));
  });
});

describe('parseQuery', () => {
  it.each([
    ['/x', {}],
    ['/x?', {}],
    ['/x?a=1&b=2', { a: '1', b: '2' }],
    ['/x?a=1&a=2', { a: '2' }],
    ['/x?a=1&a=', {}],
    ['/x?a=&a=1', { a: '1' }],
    ['/x?a', {}],
    ['/x?=1', { '': '1' }],
    ['/x?a[b]=1', { 'a[b]': '1' }],
    ['/x?a[]=1&a[]=2', { 'a[]': '2' }],
    ['/x?a=b=c', { a: 'b=c' }],
    ['/x?a=1+2', { a: '1 2' }],
    ['/x?a=1%2B2', { a: '1+2' }],
    ['/x?a=%253B', { a: '%3B' }],
    ['/x?a=%7C|%7c', { a: '|||' }],
    ['/x?a=100%', { a: '100%' }],
    ['/x?a=%zz%4', { a: '%zz%4' }],
    ['/x?a=%C3%A4', { a: 'ä' }],
    ['/x?a=%E4', { a: '\uFFFD' }],
    ['/x?a=1%00', { a: '1\0' }],
    ['/x?a=1;b=2', { a: '1;b=2' }],
    ['/x?a=1?b=2', { a: '1?b=2' }],
    ['/x?&&a=1&', { a: '1' }],
    ['http://host/x?a=1', { a: '1' }],
  ])('reads %j', (target, query) => {
    expect(parseQuery(target)).toEqual(query);
  });

  it('treats names of Object properties like any other name', () => {
    const query = parseQuery('/x?__proto__=1&constructor=2');
    expect(Object.entries(query)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
  });
});

describe('rawQueryOf', () => {
  it.each([
    ['/x', ''],
    ['/x?', '?'],
    ['/x?a=%7C+%zz&a=', '?a=%7C+%zz&a='],
  ])('cuts %j to %j', (target, raw) => {
    expect(rawQueryOf(target)).toBe(raw);
  });
});
