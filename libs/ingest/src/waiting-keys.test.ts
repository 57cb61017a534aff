import { describe, expect, it } from '@jest/globals';
import { WaitingKeys } from './waiting-keys.js';

const key = (number: number) => `workday/00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('WaitingKeys', () => {
  it('contains every added record and almost no other', () => {
    const waiting = new WaitingKeys();
    for (let number = 0; number < 10_000; number += 1) waiting.add(key(number));
    const numbers = Array.from({ length: 10_000 }, (_, number) => number);
    expect(numbers.every((number) => waiting.has(key(number)))).toBe(true);
    expect(numbers.filter((number) => waiting.has(key(number + 1_000_000))).length).toBeLessThan(10);
  });
});
