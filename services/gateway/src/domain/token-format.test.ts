import { describe, expect, it } from '@jest/globals';
import { displayPrefix, hashToken, isToken, newToken } from './token-format.js';

// The checksum was calculated independently of the code: the first four bytes that sha256sum returns for 43 zeros are b918b22a, which is
// 3O9xIA in base 62.
const ZEROS = `stu_${'0'.repeat(43)}3O9xIA`;

describe('newToken', () => {
  it('creates unique tokens in one format with a valid checksum', () => {
    const tokens = Array.from({ length: 1000 }, newToken);
    for (const token of tokens) expect(token).toMatch(/^stu_[0-9A-Za-z]{49}$/);
    expect(tokens.every(isToken)).toBe(true);
    expect(new Set(tokens).size).toBe(tokens.length);
  });
});

describe('isToken', () => {
  const token = newToken();
  const last = token.endsWith('a') ? 'b' : 'a';
  it.each([
    ['one character changed', token.slice(0, -1) + last],
    ['cut off', token.slice(0, -1)],
    ['longer', `${token}0`],
    ['another mark', `sta_${token.slice(4)}`],
    ['upper case mark', `STU_${token.slice(4)}`],
    ['a line break at the end', `${token}\n`],
    ['a space in front', ` ${token}`],
    ['letters outside ASCII', token.slice(0, -1) + 'ä'],
    ['empty', ''],
  ])('refuses a token with %s', (_, text) => {
    expect(isToken(text)).toBe(false);
  });

  it('accepts a valid checksum', () => {
    expect(isToken(ZEROS)).toBe(true);
  });

  it('detects every change of a single character', () => {
    for (let at = 4; at < token.length; at += 1) {
      const changed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1);
      expect(isToken(changed)).toBe(false);
    }
  });
});

describe('hashToken', () => {
  it('is the SHA-256 of the whole token in hex', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('displayPrefix', () => {
  it('shows eight characters', () => {
    expect(displayPrefix(ZEROS)).toBe('stu_0000');
  });
});
