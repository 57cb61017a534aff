import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatLocalDateTime, parseLocalDateTime, resolveInterval, type LocalInstant } from './local-date-time.js';

const utc = (text: string): number => Date.parse(text) / 1000;

function ok(text: string): LocalInstant {
  const parsed = parseLocalDateTime(text);
  if (parsed.kind !== 'ok') throw new Error(`${text} is ${parsed.kind}.`);
  return parsed;
}

describe('parseLocalDateTime', () => {
  it.each([
    ['2026-01-15T08:00', '2026-01-15T07:00:00Z'],
    ['2026-07-15T08:00:30', '2026-07-15T06:00:30Z'],
    ['2026-03-29T01:59:59', '2026-03-29T00:59:59Z'],
    ['2026-03-29T03:00', '2026-03-29T01:00:00Z'],
    ['2026-10-25T01:59:59', '2026-10-24T23:59:59Z'],
    ['2026-10-25T03:00', '2026-10-25T02:00:00Z'],
    ['1970-01-01T00:00', '1969-12-31T23:00:00Z'],
    ['9999-12-31T23:59:59', '9999-12-31T22:59:59Z'],
  ])('parses %s as %s', (text, expected) => {
    expect(parseLocalDateTime(text)).toEqual({ kind: 'ok', instant: utc(expected), second: null });
  });

  it.each([
    ['2026-10-25T02:00', '2026-10-25T00:00:00Z'],
    ['2026-10-25T02:30:15', '2026-10-25T00:30:15Z'],
    ['2026-10-25T02:59:59', '2026-10-25T00:59:59Z'],
  ])('returns both occurrences of %s, the first being %s', (text, first) => {
    expect(parseLocalDateTime(text)).toEqual({ kind: 'ok', instant: utc(first), second: utc(first) + 3600 });
  });

  it.each(['2026-03-29T02:00', '2026-03-29T02:30:00', '2026-03-29T02:59:59', '1980-04-06T02:30'])(
    'returns "nonexistent" for %s',
    (text) => {
      expect(parseLocalDateTime(text)).toEqual({ kind: 'nonexistent' });
    },
  );

  it.each([
    '2026-01-15T08:00Z',
    '2026-01-15T08:00:00Z',
    '2026-01-15T08:00:00z',
    '2026-01-15T08:00:00+01:00',
    '2026-01-15T08:00:00-0100',
    '2026-01-15T08:00+01',
    '2026-01-15T08:00:00.000Z',
    '2026-03-29T02:30:00+01:00',
  ])('rejects the offset of %s', (text) => {
    expect(parseLocalDateTime(text)).toEqual({ kind: 'offset' });
  });

  it.each([
    '',
    'Z',
    '2026-01-15',
    '2026-01-15 08:00',
    '2026-01-15t08:00',
    '2026-01-15T8:00',
    '2026-01-15T08',
    '2026-01-15T08:',
    '2026-01-15T08:0',
    '2026-01-15T08:00:',
    '2026-01-15T08:00:0',
    '2026-01-15T24:00',
    '2026-01-15T08:60',
    '2026-01-15T08:00:60',
    '2026-01-15T08:00:00.5',
    '2026-01-15T08:00:00 ',
    ' 2026-01-15T08:00:00',
    '2026-02-30T08:00',
    '2026-02-30T08:00Z',
    '2026-01-15T08-00',
    '2026-01-15T08:00:00+1',
    '1969-12-31T24:00',
    '0000-01-01T00:00',
  ])('returns "malformed" for %p', (text) => {
    expect(parseLocalDateTime(text)).toEqual({ kind: 'malformed' });
  });

  it.each(['1969-12-31T23:59', '1900-01-01T00:00:00', '0001-01-01T00:00:00'])('returns "early" for %s', (text) => {
    expect(parseLocalDateTime(text)).toEqual({ kind: 'early' });
  });

  it('checks for an offset first, also before 1970', () => {
    expect(parseLocalDateTime('0001-01-01T00:00:00Z')).toEqual({ kind: 'offset' });
  });

  it('parses every instant that it formats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_133_894_400 }), (instant) => {
        const parsed = ok(formatLocalDateTime(instant));
        expect([parsed.instant, parsed.second]).toContain(instant);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('resolveInterval', () => {
  it.each([
    ['keeps an unambiguous interval', '2026-10-24T22:00', '2026-10-25T06:00', '2026-10-24T20:00:00Z', '2026-10-25T05:00:00Z'],
    ['takes the first occurrence of an end', '2026-10-24T22:00', '2026-10-25T02:30', '2026-10-24T20:00:00Z', '2026-10-25T00:30:00Z'],
    ['takes the first occurrence of a start', '2026-10-25T02:30', '2026-10-25T06:00', '2026-10-25T00:30:00Z', '2026-10-25T05:00:00Z'],
    ['takes the first of both', '2026-10-25T02:10', '2026-10-25T02:40', '2026-10-25T00:10:00Z', '2026-10-25T00:40:00Z'],
    [
      'takes the second occurrence of an end if the first is before the start',
      '2026-10-25T02:40',
      '2026-10-25T02:10',
      '2026-10-25T00:40:00Z',
      '2026-10-25T01:10:00Z',
    ],
    ['accepts an end that equals its start', '2026-10-25T02:40', '2026-10-25T02:40', '2026-10-25T00:40:00Z', '2026-10-25T00:40:00Z'],
    ['leaves a reversed interval reversed', '2026-10-25T04:00', '2026-10-25T02:30', '2026-10-25T03:00:00Z', '2026-10-25T00:30:00Z'],
    ['leaves a reversed day reversed', '2026-05-05T04:00', '2026-05-05T02:30', '2026-05-05T02:00:00Z', '2026-05-05T00:30:00Z'],
  ])('%s', (_, start, end, ...expected) => {
    const resolved = resolveInterval(ok(start), ok(end));
    expect([resolved.start, resolved.end]).toEqual(expected.map(utc));
  });

  it.each([
    ['the second if the first lies before the bound', ['2026-10-25T00:30:00Z'], '2026-10-25T01:15:00Z', '2026-10-25T01:45:00Z'],
    ['the first at the bound', ['2026-10-25T00:15:00Z'], '2026-10-25T00:15:00Z', '2026-10-25T00:45:00Z'],
    ['the first if both lie before the bound', ['2026-10-25T05:00:00Z'], '2026-10-25T00:15:00Z', '2026-10-25T00:45:00Z'],
    [
      'the second if one of several bounds demands it',
      ['2026-10-25T05:00:00Z', '2026-10-25T00:30:00Z'],
      '2026-10-25T01:15:00Z',
      '2026-10-25T01:45:00Z',
    ],
  ])('takes as the start %s', (_, bounds, ...expected) => {
    const resolved = resolveInterval(ok('2026-10-25T02:15'), ok('2026-10-25T02:45'), bounds.map(utc));
    expect([resolved.start, resolved.end]).toEqual(expected.map(utc));
  });

  it('does not move an unambiguous start to a bound', () => {
    const resolved = resolveInterval(ok('2026-10-24T22:00'), ok('2026-10-25T02:30'), [utc('2026-10-25T00:00:00Z')]);
    expect([resolved.start, resolved.end]).toEqual(['2026-10-24T20:00:00Z', '2026-10-25T00:30:00Z'].map(utc));
  });
});
