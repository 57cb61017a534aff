import { describe, expect, it } from '@jest/globals';
import {
  CellProblem,
  formatPoint,
  readDate,
  readDuration,
  readPoint,
  readText,
  readTime,
  type DateFormat,
  type DurationFormat,
} from './cells.js';

describe('a date', () => {
  it.each<[string, DateFormat, string]>([
    ['01.03.2026', 'dd.mm.yyyy', '2026-03-01'],
    ['1.3.2026', 'dd.mm.yyyy', '2026-03-01'],
    ['29.02.2024', 'dd.mm.yyyy', '2024-02-29'],
    ['1.3.26', 'dd.mm.yy', '2026-03-01'],
    ['2026-03-01', 'yyyy-mm-dd', '2026-03-01'],
    ['03/04/2026', 'dd/mm/yyyy', '2026-04-03'],
    ['03/04/2026', 'mm/dd/yyyy', '2026-03-04'],
    ['20260301', 'yyyymmdd', '2026-03-01'],
  ])('%s as %s is %s', (text, format, date) => expect(readDate(text, format)).toBe(date));

  it.each<[string, DateFormat]>([
    ['31.02.2026', 'dd.mm.yyyy'],
    ['29.02.2025', 'dd.mm.yyyy'],
    ['2026-03-01', 'dd.mm.yyyy'],
    ['1.3.26', 'dd.mm.yyyy'],
    ['03.13.2026', 'dd.mm.yyyy'],
    ['01.01.1899', 'dd.mm.yyyy'],
    ['2026-3-1', 'yyyy-mm-dd'],
    ['heute', 'dd.mm.yyyy'],
  ])('cannot be %s as %s', (text, format) => expect(() => readDate(text, format)).toThrow(CellProblem));
});

describe('a time', () => {
  it.each([
    ['7:00', 25_200],
    ['07:30', 27_000],
    ['23:59:59', 86_399],
    ['0:00', 0],
    ['24:00', 86_400],
  ])('%s is %i seconds after midnight', (text, seconds) => expect(readTime(text)).toBe(seconds));

  it.each(['7', '7.30', '7:60', '24:01', '25:00', '7:0', '-1:00'])('cannot be %s', (text) => {
    expect(() => readTime(text)).toThrow(CellProblem);
  });

  it('may have a date of its own', () => {
    expect(readPoint('7:00', '2026-03-01', 'dd.mm.yyyy')).toEqual({ date: '2026-03-01', seconds: 25_200, isDated: false });
    expect(readPoint('02.03.2026 06:00', '2026-03-01', 'dd.mm.yyyy')).toEqual({ date: '2026-03-02', seconds: 21_600, isDated: true });
  });
});

describe('a duration', () => {
  it.each<[string, DurationFormat, ',' | '.', number]>([
    ['7,5', 'hours', ',', 27_000],
    ['7.5', 'hours', '.', 27_000],
    ['0,33', 'hours', ',', 1_188],
    ['24', 'hours', ',', 86_400],
    ['450', 'minutes', ',', 27_000],
    ['0', 'minutes', ',', 0],
    ['7:30', 'hh:mm', ',', 27_000],
    ['0:45', 'hh:mm', ',', 2_700],
  ])('%s in %s with "%s" is %i seconds', (text, format, decimal, seconds) => {
    expect(readDuration(text, { format, decimal })).toBe(seconds);
  });

  it.each<[string, DurationFormat, ',' | '.']>([
    ['7.5', 'hours', ','],
    ['7,5', 'hours', '.'],
    ['-1', 'hours', ','],
    ['24,01', 'hours', ','],
    ['1e1', 'hours', ','],
    ['7:61', 'hh:mm', ','],
    ['7,5', 'hh:mm', ','],
  ])('cannot be %s in %s with "%s"', (text, format, decimal) => {
    expect(() => readDuration(text, { format, decimal })).toThrow(CellProblem);
  });
});

it('a text has at most 255 characters, of which an emoji is one', () => {
  expect(readText('👷'.repeat(255))).toHaveLength(510);
  expect(() => readText('x'.repeat(256))).toThrow(new CellProblem('has more than 255 characters'));
});

it('a point after midnight is of the next day', () => {
  expect(formatPoint({ date: '2026-02-28', seconds: 79_200 })).toBe('2026-02-28T22:00:00');
  expect(formatPoint({ date: '2026-02-28', seconds: 108_001 })).toBe('2026-03-01T06:00:01');
});
