import { describe, expect, it } from '@jest/globals';
import { pageOf } from './pages.js';

describe('pageOf', () => {
  it.each([
    [undefined, undefined, { limit: 100, offset: 0 }],
    ['20', '40', { limit: 20, offset: 40 }],
    ['0', '-1', { limit: 100, offset: 0 }],
    ['-5', 'x', { limit: 100, offset: 0 }],
    ['1001', '01', { limit: 1000, offset: 1 }],
    ['1e2', '1.0', { limit: 100, offset: 0 }],
    ['', '', { limit: 100, offset: 0 }],
    ['99999999999999999999', '99999999999999999999', { limit: 1000, offset: 9_007_199_254_740_991 }],
    ['-99999999999999999999', '-99999999999999999999', { limit: 100, offset: 0 }],
    ['9'.repeat(400), '9'.repeat(400), { limit: 1000, offset: 9_007_199_254_740_991 }],
  ])('parses limit %j and offset %j', (limit, offset, page) => {
    expect(pageOf(limit, offset)).toEqual(page);
  });
});
