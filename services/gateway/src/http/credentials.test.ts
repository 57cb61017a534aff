import { describe, expect, it } from '@jest/globals';
import { tokenOf } from './credentials.js';

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
