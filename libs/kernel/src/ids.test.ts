import { describe, expect, it } from '@jest/globals';
import { isUuid, parseUuid, uuidV5 } from './ids.js';

describe('uuidV5', () => {
  it('agrees with the example of RFC 9562, appendix A.4', () => {
    expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });
});

describe('parseUuid', () => {
  it.each([
    ['2ED6657D-e927-568B-95e1-2665a8aea6a2', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    ['{2ed6657d-e927-568b-95e1-2665a8aea6a2}', undefined],
    ['2ed6657de927568b95e12665a8aea6a2', undefined],
    ['2ed6657d-e927-568b-95e1-2665a8aea6a2\n', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, id) => {
    expect(parseUuid(text)).toBe(id);
    expect(isUuid(text)).toBe(id !== undefined);
  });
});
