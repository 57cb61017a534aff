import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { ListParameters } from './list-parameters.js';

const A = '2ed6657d-e927-568b-95e1-2665a8aea6a2';
const FORM = 'The range must have the form YYYY-MM-DD|YYYY-MM-DD; either side may be empty.';
const FORMAT = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';

function errorsOf(texts: Readonly<Record<string, string>>, read: (parameters: ListParameters) => unknown): unknown {
  const parameters = new ListParameters(texts);
  read(parameters);
  try {
    parameters.throwIfAny();
  } catch (error) {
    return AppError.from(error).details;
  }
  return {};
}

describe('ListParameters', () => {
  it.each([
    [{}, undefined],
    [{ ids: '' }, undefined],
    [{ ids: ' ' }, undefined],
    [{ ids: '|' }, []],
    [{ ids: ' | |' }, []],
    [{ ids: 'x' }, []],
    [{ ids: `|${A.toUpperCase()}|x|${A}|` }, [A]],
  ])('parses the ids %j', (texts, expected) => {
    expect(new ListParameters(texts).ids('ids')).toEqual(expected);
  });

  it.each([
    ['', undefined, undefined],
    ['|', undefined, undefined],
    ['2026-01-01|', '2026-01-01', undefined],
    ['|2026-12-31', undefined, '2026-12-31'],
    ['2026-01-01|2026-01-01', '2026-01-01', '2026-01-01'],
  ])('parses the range %j', (daterange, from, until) => {
    const parameters = new ListParameters({ daterange });
    expect(parameters.daterange()).toEqual({ from, until });
    parameters.throwIfAny();
  });

  it.each([
    ['2026-01-01', FORM],
    ['2026-01-01|2026-01-02|', FORM],
    ['2026-02-29|', FORMAT],
    ['|0000-01-01', FORMAT],
    ['01.01.2026|', FORMAT],
    ['2026-01-02|2026-01-01', 'The end of the range must not be before its start.'],
  ])('rejects the range %j', (daterange, message) => {
    expect(errorsOf({ daterange }, (parameters) => parameters.daterange())).toEqual({ daterange: [message] });
  });

  it('parses choices and orderings', () => {
    const parameters = new ListParameters({ sources: 'b||a', order: '-date|code|date' });
    expect(parameters.choices('sources', ['a', 'b'])).toEqual(['b', 'a']);
    expect(new ListParameters({ sources: '|' }).choices('sources', ['a'])).toEqual([]);
    expect(new ListParameters({ sources: '' }).choices('sources', ['a'])).toBeUndefined();
    expect(parameters.order(['code', 'date'])).toEqual([
      { field: 'date', descending: true },
      { field: 'code', descending: false },
    ]);
    parameters.throwIfAny();
  });

  it('cuts what it quotes at a whole character', () => {
    const errors = errorsOf({ order: `${'x'.repeat(99)}🏗` }, (parameters) => parameters.order([]));
    expect(errors).toEqual({ $query: [`"${'x'.repeat(99)}…" is not a valid ordering field.`] });
  });

  it('reports every problem together, the ordering under $query', () => {
    const texts = { sources: 'a|c|d', order: 'name|--date', daterange: 'x' };
    const errors = errorsOf(texts, (parameters) => {
      parameters.choices('sources', ['a', 'b']);
      parameters.order(['date']);
      parameters.daterange();
    });
    expect(errors).toEqual({
      sources: ['"c" is not a valid choice.', '"d" is not a valid choice.'],
      $query: ['"name" is not a valid ordering field.', '"--date" is not a valid ordering field.'],
      daterange: [FORM],
    });
  });

  it('limits the length of messages', () => {
    const errors = errorsOf({ order: Array.from({ length: 500 }, (_, at) => `${String(at)}${'x'.repeat(300)}`).join('|') }, (parameters) =>
      parameters.order([]),
    );
    expect(JSON.stringify(errors).length).toBeLessThan(4096);
  });
});

describe('a single date', () => {
  it.each([
    ['2026-02-28', '2026-02-28', undefined],
    [' 2026-02-28 ', '2026-02-28', undefined],
    ['', undefined, undefined],
    [' ', undefined, undefined],
    ['2026-02-29', undefined, ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.']],
    ['2026-02-28|', undefined, ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.']],
  ])('is parsed from %j', (text, date, problem) => {
    const parameters = new ListParameters({ since: text });
    expect(parameters.date('since')).toBe(date);
    const details = () => {
      try {
        parameters.throwIfAny();
        return undefined;
      } catch (error) {
        return AppError.from(error).details?.since;
      }
    };
    expect(details()).toEqual(problem);
  });
});
