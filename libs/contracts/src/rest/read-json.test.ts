import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import fc from 'fast-check';
import { readJson } from './read-json.js';

describe('readJson', () => {
  it('returns selected numbers as they are written', () => {
    const text = '{"amount": 1e2, "priority": 1.0, "other": 1e2}';
    expect(readJson(text, ['amount', 'priority'])).toEqual({ amount: '1e2', priority: '1.0', other: 100 });
  });

  it('does not change anything else', () => {
    expect(readJson('{"amount": "7", "list": [1, null]}', ['amount'])).toEqual({ amount: '7', list: [1, null] });
    expect(() => readJson('{')).toThrow(AppError);
  });

  it.each([
    ['next to names with escapes', '{"\\"amount\\": 1": 2.0, "x\\\\": "\\\\", "\\u0061mount" : -1.50}', '-1.50'],
    ['after values that look like it', '{"x": {"amount": 9.0}, "y": [{"amount": 8.0}], "z": "\\"amount\\": 7.0", "amount":1E+2}', '1E+2'],
    ['with repeated names: the last one', '{"amount": 1.0, "amount": "x", "amount":\n\t2.0}', '2.0'],
  ])('finds a number %s', (_, text, amount) => {
    expect(readJson(text, ['amount'])).toMatchObject({ amount });
  });

  it('returns the last of equal names even if it is not a number', () => {
    expect(readJson('{"amount": 1.0, "amount": "x"}', ['amount'])).toEqual({ amount: 'x' });
    expect(readJson('[{"amount": 1.0}]', ['amount'])).toEqual([{ amount: 1 }]);
  });

  it('parses deeply nested values next to it', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(readJson(`{"amount": 1.50, "more": ${deep}}`, ['amount'])).toMatchObject({ amount: '1.50' });
    expect(readJson(`{"name": "x", "more": ${deep}}`)).toMatchObject({ name: 'x' });
  });

  it('finds the numbers that a reviver would', () => {
    const name = fc.constantFrom('amount', 'a"b', 'a\\', 'ä');
    const value = fc.oneof(fc.json(), fc.integer().map(String), fc.constantFrom('1.0', '-0', '2e5'));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), fc.constantFrom('', ' ', '\n'), (members, blank) => {
        const text = `{${members.map(([key, json]) => `${JSON.stringify(key)}${blank}:${blank}${json}`).join(`${blank},`)}}`;
        const last = new Map(members);
        const read = readJson(text, ['amount', 'ä']) as Record<string, unknown>;
        for (const [key, json] of last) {
          const isWritten = ['amount', 'ä'].includes(key) && typeof JSON.parse(json) === 'number';
          expect(read[key]).toEqual(isWritten ? json.trim() : JSON.parse(json));
        }
      }),
    );
  });
});
