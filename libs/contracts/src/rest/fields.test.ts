import { describe, expect, it } from '@jest/globals';
import { AppError, stockFields } from '@stechuhr/kernel';
import { z } from 'zod';
import { amountField, integerField, judgeBody, judgePartialBody, nullable, parseBody } from './fields.js';

const { choice, date, text, uuid } = stockFields;

const ID = '2ed6657d-e927-568b-95e1-2665a8aea6a2';
const schema = z.object({
  id: uuid(),
  label: text(),
  from: date(),
  priority: integerField({ min: 0 }),
  amount: amountField(),
  note: nullable(text()),
});
const good = { id: ID.toUpperCase(), label: ' Urlaub ', from: '2028-02-29', priority: '01', amount: '30.5', unknown: true };

function errorsOf(body: unknown): unknown {
  try {
    return parseBody(schema, body);
  } catch (error) {
    return AppError.from(error).details;
  }
}

describe('parseBody', () => {
  it('parses a body, converts values and ignores unknown fields', () => {
    expect(parseBody(schema, good)).toEqual({ id: ID, label: 'Urlaub', from: '2028-02-29', priority: 1, amount: 3050, note: null });
  });

  it('reports every missing field', () => {
    const required = ['This field is required.'];
    expect(errorsOf({})).toEqual({ id: required, label: required, from: required, priority: required, amount: required });
  });

  it.each([
    ['id', null, 'This field may not be null.'],
    ['id', 'x', 'Must be a valid UUID.'],
    ['label', '   ', 'This field may not be blank.'],
    ['label', 'a\0b', 'Null characters are not allowed.'],
    ['label', 'x'.repeat(256), 'Ensure this field has no more than 255 characters.'],
    ['label', 7, 'Not a valid string.'],
    ['from', '2026-02-29', 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
    ['from', '0000-01-01', 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
    ['from', '2026-2-1', 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
    ['priority', -1, 'Ensure this value is greater than or equal to 0.'],
    ['priority', '1.0', 'A valid integer is required.'],
    ['priority', 1.5, 'A valid integer is required.'],
    ['priority', true, 'A valid integer is required.'],
    ['amount', '-0.01', 'Ensure this value is greater than or equal to 0.'],
    ['amount', '1.005', 'Ensure that there are no more than 2 decimal places.'],
    ['amount', '1e2', 'A valid number is required.'],
    ['amount', '.5', 'A valid number is required.'],
    ['amount', '-1.005', 'Ensure that there are no more than 2 decimal places.'],
    ['amount', '-100000', 'Ensure this value is greater than or equal to 0.'],
    ['amount', true, 'A valid number is required.'],
    ['amount', null, 'This field may not be null.'],
    ['priority', '9007199254740993', 'A valid integer is required.'],
    ['priority', -1.5, 'A valid integer is required.'],
    ['priority', null, 'This field may not be null.'],
    ['amount', 100_000, 'Ensure this value is less than or equal to 99999.99.'],
    ['note', '', 'This field may not be blank.'],
  ])('rejects %s = %j', (name, value, message) => {
    expect(errorsOf({ ...good, [name]: value })).toEqual({ [name]: [message] });
  });

  it('counts characters, not UTF-16 units', () => {
    const longest = '🏗️'.repeat(127) + 'x';
    expect([...longest]).toHaveLength(255);
    expect(parseBody(schema, { ...good, label: longest }).label).toBe(longest);
    expect(errorsOf({ ...good, label: `${longest}🏗` })).toEqual({ label: ['Ensure this field has no more than 255 characters.'] });
  });

  it('replaces a lone surrogate, which cannot be stored', () => {
    expect(parseBody(schema, { ...good, label: 'a\ud800' }).label).toBe('a\ufffd');
  });

  it.each([
    ['+1.5', 150],
    ['007', 700],
    ['-0.00', 0],
    ['00099999.99', 9_999_999],
    [0.1, 10],
    [12, 1200],
  ])('parses the amount %j', (amount, hundredths) => {
    expect(parseBody(schema, { ...good, amount }).amount).toBe(hundredths);
  });

  it.each([
    [[], 'list'],
    [null, 'NoneType'],
    ['x', 'str'],
    [1, 'int'],
    [1.5, 'float'],
    [true, 'bool'],
  ])('rejects the body %j', (body, name) => {
    expect(errorsOf(body)).toEqual({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${name}.`] });
  });
});

describe('judgeBody', () => {
  it('returns valid fields together with the problems of the others', () => {
    expect(judgeBody(schema, { id: ID, label: '', from: '2026-01-01', priority: '-0', amount: 1 })).toEqual({
      values: { id: ID, from: '2026-01-01', priority: 0, amount: 100, note: null },
      errors: { label: ['This field may not be blank.'] },
    });
  });
});

describe('a choice', () => {
  const of = z.object({ code: choice('a', 'b') });

  it.each([
    ['c', '"c" is not a valid choice.'],
    [7, '"7" is not a valid choice.'],
    [['a'], '"["a"]" is not a valid choice.'],
    ['x'.repeat(101), `"${'x'.repeat(100)}…" is not a valid choice.`],
  ])('rejects %j', (code, message) => {
    expect(judgeBody(of, { code }).errors).toEqual({ code: [message] });
  });

  it('accepts one of its values', () => {
    expect(parseBody(of, { code: 'b' })).toEqual({ code: 'b' });
  });
});

describe('an integer with a maximum', () => {
  it.each([
    [12, undefined],
    ['13', ['Ensure this value is less than or equal to 12.']],
  ])('is checked for %j', (month, errors) => {
    expect(judgeBody(z.object({ month: integerField({ min: 1, max: 12 }) }), { month }).errors['month']).toEqual(errors);
  });
});

describe('judgePartialBody', () => {
  it('checks and returns only given fields, including null', () => {
    expect(judgePartialBody(schema, { note: null, label: ' x ', other: 1 })).toEqual({ values: { note: null, label: 'x' }, errors: {} });
    expect(judgePartialBody(schema, { id: null, from: 'x' })).toEqual({
      values: {},
      errors: {
        id: ['This field may not be null.'],
        from: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
      },
    });
  });

  it('rejects values other than objects', () => {
    expect(() => judgePartialBody(schema, [])).toThrow(AppError);
  });

  it('takes only own fields of the body', () => {
    const inherited = z.object({ constructor: text().optional(), toString: text() });
    expect(judgePartialBody(inherited, {})).toEqual({ values: {}, errors: {} });
    expect(judgeBody(inherited, {}).errors).toEqual({ toString: ['This field is required.'] });
  });
});
