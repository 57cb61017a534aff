import { describe, expect, it } from '@jest/globals';
import type { SkippedStaff } from '@stechuhr/exporting';
import { namedSkipped } from './named-skipped.js';

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

function employees(count: number, name: string): SkippedStaff[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    name,
    reason: 'archived',
  }));
}

describe('namedSkipped', () => {
  it('names everybody of a usual company', () => {
    const skipped = employees(10_000, 'Maximiliane Mustermann-Beispiel');
    expect(namedSkipped(skipped)).toBe(skipped);
  });

  // 4,194,304 bytes are 41,943 employees of 100 bytes, or 2,464 of 100 + 3 × 534.
  it.each([
    [100_000, '', 41_943],
    [10_000, '€'.repeat(534), 2_464],
  ])('names the first of %i employees, so that the report of the worker fits into a message', (count, name, named) => {
    const skipped = namedSkipped(employees(count, name));
    expect(skipped).toEqual(employees(count, name).slice(0, named));
    expect(Buffer.byteLength(JSON.stringify(skipped))).toBeLessThan(MAX_MESSAGE_BYTES);
  });
});
