import { describe, expect, it } from '@jest/globals';
import { firstIdAt, isUuid, newTimeOrderedId, parseUuid, timeOrderedIdFrom, uuidV5 } from './ids.js';

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
  ])('parses %j as %j', (text, id) => {
    expect(parseUuid(text)).toBe(id);
    expect(isUuid(text)).toBe(id !== undefined);
  });
});

describe('newTimeOrderedId', () => {
  it('is a UUID of version 7 between the moments around it', () => {
    const before = Date.now();
    const id = newTimeOrderedId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(firstIdAt(before) < id && id < firstIdAt(Date.now() + 1)).toBe(true);
  });

  it('begins like the example of RFC 9562, appendix A.6', () => {
    expect(firstIdAt(Date.UTC(2022, 1, 22, 19, 22, 22))).toBe('017f22e2-79b0');
  });
});

describe('timeOrderedIdFrom', () => {
  it('has the time of the id, and follows from it and the name', () => {
    const id = newTimeOrderedId();
    const derived = timeOrderedIdFrom(id, 'a');
    expect(derived).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(derived.slice(0, 13)).toBe(id.slice(0, 13));
    expect(timeOrderedIdFrom(id, 'a')).toBe(derived);
    const others = [id, derived, timeOrderedIdFrom(id, 'b'), timeOrderedIdFrom(newTimeOrderedId(), 'a')];
    expect(new Set(others).size).toBe(4);
  });
});
