import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { readJson } from './read-json.js';

describe('readJson', () => {
  it('keeps chosen numbers as they are written', () => {
    const text = '{"amount": 1e2, "priority": 1.0, "other": 1e2}';
    expect(readJson(text, ['amount', 'priority'])).toEqual({ amount: '1e2', priority: '1.0', other: 100 });
  });

  it('leaves everything else alone', () => {
    expect(readJson('{"amount": "7", "list": [1, null]}', ['amount'])).toEqual({ amount: '7', list: [1, null] });
    expect(() => readJson('{')).toThrow(AppError);
  });
});
