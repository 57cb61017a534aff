import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseBoolean, parseUuid, queryPatterns, rangeProblem } from './index.js';

const either = 'The range must have the form YYYY-MM-DD|YYYY-MM-DD; either side may be empty.';
const both = 'The range must have the form YYYY-MM-DD|YYYY-MM-DD.';
const date = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';
const order = 'The end of the range must not be before its start.';

describe('the sides of a range', () => {
  it.each([
    ['2026-10-01|2026-10-31', undefined, undefined],
    ['2026-10-01|2026-10-01', undefined, undefined],
    ['2026-10-01|', undefined, both],
    ['|2026-10-31', undefined, both],
    ['|', undefined, both],
    ['2026-10-01', either, both],
    ['2026-10-01|2026-10-02|2026-10-03', either, both],
    ['2026-10-02|2026-10-01', order, order],
    ['2026-02-29|2026-03-01', date, date],
    ['2026-3-1|2026-03-02', date, date],
    ['0000-01-01|2026-03-02', date, date],
    ['2026-02-30|2026-02-01', date, date],
  ])('of "%s"', (text, whereEitherMayBeEmpty, whereBothAreNeeded) => {
    expect(rangeProblem(text.split('|'), 'either')).toBe(whereEitherMayBeEmpty);
    expect(rangeProblem(text.split('|'), 'both')).toBe(whereBothAreNeeded);
  });
});

describe('patterns of the OpenAPI document match what the parsers accept', () => {
  it('for a range: a text is well-formed if and only if it matches the pattern', () => {
    const side = fc.oneof(fc.constant(''), fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/), fc.string({ maxLength: 10 }));
    fc.assert(
      fc.property(fc.array(side, { minLength: 1, maxLength: 3 }), (sides) => {
        const text = sides.join('|');
        const isGood = (needed: 'both' | 'either') => rangeProblem(text.split('|'), needed) === undefined;
        if (isGood('either')) expect(text).toMatch(new RegExp(queryPatterns.openRange));
        if (isGood('both')) expect(text).toMatch(new RegExp(queryPatterns.range));
        if (new RegExp(queryPatterns.openRange).test(text))
          expect([undefined, date, order]).toContain(rangeProblem(text.split('|'), 'either'));
        if (new RegExp(queryPatterns.range).test(text)) expect([undefined, date, order]).toContain(rangeProblem(text.split('|'), 'both'));
      }),
    );
  });

  it('for ids', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uuid(), fc.uuid().map(upper), fc.string()), { minLength: 1 }), (elements) => {
        const text = elements.join('|');
        expect(new RegExp(queryPatterns.ids).test(text)).toBe(text.split('|').every((element) => parseUuid(element) !== undefined));
      }),
    );
  });

  it.each([
    [queryPatterns.choices(['open', 'done']), ['open', 'done|open'], ['', 'open|', 'opened', '-open']],
    [queryPatterns.order(['date', 'name']), ['date', '-name|date'], ['', '--date', '-', 'date,name']],
    [queryPatterns.localDateTimeInput, ['2026-10-01T08:00', '2026-10-01T08:00:30'], ['2026-10-01', '2026-10-01T08:00:00Z']],
    [queryPatterns.localDateTime, ['2026-10-01T08:00:30'], ['2026-10-01T08:00']],
    [queryPatterns.projectAndDay, ['5d6c4ddb-4167-542c-be0c-4e654632162f|2026-10-05'], ['5d6c4ddb|2026-10-05']],
  ])('for %s', (pattern, good, bad) => {
    for (const text of good) expect(text).toMatch(new RegExp(pattern));
    for (const text of bad) expect(text).not.toMatch(new RegExp(pattern));
  });
});

describe('a boolean', () => {
  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['False', false],
    ['0', false],
    ['', undefined],
    ['yes', undefined],
    [' true', undefined],
  ])('is parsed from "%s"', (text, value) => {
    expect(parseBoolean(text)).toBe(value);
  });
});

function upper(text: string): string {
  return text.toUpperCase();
}
