import { describe, expect, it } from '@jest/globals';
import { readSince } from './since.js';

const NOW = Date.parse('2026-05-01T08:00:00Z');

describe('readSince', () => {
  it.each([
    ['30m', '2026-05-01T07:30:00.000Z'],
    ['14d', '2026-04-17T08:00:00.000Z'],
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2024-02-29T23:59Z', '2024-02-29T23:59:00.000Z'],
    ['2026-05-01T08:00:00.5Z', '2026-05-01T08:00:00.500Z'],
  ])('takes an age or an instant: %s', (text, instant) => {
    expect(readSince(text, NOW).toISOString()).toBe(instant);
  });

  it.each(['', '30', '2w', '2026-02-29', '2026-04-31T08:00:00Z', '2026-05-01T25:00Z', '2026-05-01T08:00:00', 'yesterday'])(
    'refuses what is neither, or does not exist: %j',
    (text) => {
      expect(() => readSince(text, NOW)).toThrow(`--since: "${text}" is neither an age`);
    },
  );
});
