import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { pageAnswer, publicBaseOf } from './links.js';

describe('publicBaseOf', () => {
  it.each([
    [undefined, 'http', 'localhost:8080', 'http://localhost:8080'],
    [undefined, 'https', 'api.example.de', 'https://api.example.de'],
    [undefined, 'https', 'api.example.de:443', 'https://api.example.de'],
    [undefined, 'http', '[::1]:8080', 'http://[::1]:8080'],
    [undefined, 'javascript', 'api.example.de', 'http://api.example.de'],
    [undefined, 'http', 'user:secret@api.example.de', 'http://api.example.de'],
    [undefined, 'http', 'a/b', ''],
    [undefined, 'http', 'a b', ''],
    [undefined, 'http', '', ''],
    [undefined, 'http', undefined, ''],
    ['https://stechuhr.example/tenant', 'http', '10.0.0.1:8080', 'https://stechuhr.example/tenant'],
  ])('configured %j, request %s://%s gives %j', (configured, protocol, host, base) => {
    expect(publicBaseOf(configured, { protocol, host })).toBe(base);
  });
});

describe('pageAnswer', () => {
  const address = 'https://api.example/things/';
  const linksOf = (query: Record<string, string>, page: { count: number; limit: number; offset: number }) => {
    const { next, previous } = pageAnswer(address, query, { ...page, results: [] });
    return [next, previous].map((link) => link?.slice(address.length) ?? null);
  };

  it.each([
    [{ count: 0, limit: 10, offset: 0 }, null, null],
    [{ count: 10, limit: 10, offset: 0 }, null, null],
    [{ count: 11, limit: 10, offset: 0 }, '?limit=10&offset=10', null],
    [{ count: 25, limit: 10, offset: 10 }, '?limit=10&offset=20', '?limit=10&offset=0'],
    [{ count: 25, limit: 10, offset: 20 }, null, '?limit=10&offset=10'],
    [{ count: 25, limit: 10, offset: 3 }, '?limit=10&offset=13', '?limit=10&offset=0'],
    [{ count: 25, limit: 10, offset: 100 }, null, '?limit=10&offset=90'],
  ])('of the page %j links to %j and %j', (page, next, previous) => {
    expect(linksOf({}, page)).toEqual([next, previous]);
  });

  it('keeps the other parameters, encoded, and contains the limit that was applied', () => {
    const query = { limit: '5000', sources: 'manual|setting', offset: 'x', q: 'ä b' };
    expect(linksOf(query, { count: 2000, limit: 1000, offset: 0 })).toEqual([
      '?limit=1000&sources=manual%7Csetting&offset=1000&q=%C3%A4+b',
      null,
    ]);
  });

  // The address and `?ids=` have 32 characters, an id 36, a pipe 3, the limit and the offset 23: 32 + 1,574 × 39 − 3 + 23 = 61,438.
  const ids = (count: number) => ({ ids: Array<string>(count).fill('6f1c2b3a-1111-4222-8333-444455556666').join('|') });
  const two = { count: 2000, limit: 1000, offset: 0 };

  it('links to addresses of 60 KiB', () => {
    expect(linksOf(ids(1_574), two)[0]).toHaveLength(61_438 - address.length);
  });

  it('refuses a page whose neighbour could not be requested', () => {
    const message = 'The address of another page would have 61477 bytes; 61440 are possible. Send fewer ids.';
    const refusal = AppError.invalid({ non_field_errors: [message] });
    expect(() => linksOf(ids(1_575), two)).toThrow(expect.objectContaining({ code: refusal.code, details: refusal.details }));
  });

  it('needs no link for a single page, however long the query is', () => {
    expect(linksOf(ids(1_700), { ...two, count: 1000 })).toEqual([null, null]);
  });
});
