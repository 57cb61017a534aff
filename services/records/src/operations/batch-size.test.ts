import { describe, expect, it } from '@jest/globals';
import type { Change } from '../domain/kind.js';
import { BatchSize } from './batch-size.js';

const change = (employeeId: string): Change => {
  const content = { fields: {}, references: [], placement: { employeeId, year: 2026, month: 3 } };
  return { kind: 'workday', institutionId: 'i', id: 'w', content };
};
const master: Change = { kind: 'department', institutionId: 'i', id: 'd', content: { fields: {}, references: [] } };
const scattered = ['a', 'b', 'c'].map(change);
const together = Array.from({ length: 20 }, () => change('a'));
const between = Array.from({ length: 8 }, () => change('a'));

describe('BatchSize', () => {
  it('grows while workdays are scattered over months, up to a limit', () => {
    const size = new BatchSize();
    const sizes = [1, 2, 3, 4].map(() => {
      size.adapt(scattered);
      return size.lines;
    });
    expect(sizes).toEqual([2_000, 4_000, 4_000, 4_000]);
  });

  it.each([
    ['stays for some workdays a month', between, 4_000],
    ['shrinks for whole months', together, 1_000],
    ['shrinks for other records', [master], 1_000],
  ])('%s', (_, changes, lines) => {
    const size = new BatchSize();
    size.adapt(scattered);
    size.adapt(scattered);
    size.adapt(changes);
    expect(size.lines).toBe(lines);
  });
});
