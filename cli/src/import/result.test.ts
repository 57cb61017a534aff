import { describe, expect, it } from '@jest/globals';
import { describeResult, joined } from './result.js';

describe('describeResult', () => {
  it('shows counts by kind, then each rejected line', () => {
    const rejected = [{ file: '-', line: 3, kind: null, id: null, reason: 'The line is not valid JSON.' }];
    expect(describeResult({ accepted: { workday: 12, employee: 2 }, rejected, warnings: [] }).split('\n')).toEqual([
      'kind      accepted  rejected',
      '────────  ────────  ────────',
      '?         0         1',
      'employee  2         0',
      'workday   12        0',
      '',
      'file  line  kind  id  reason',
      '────  ────  ────  ──  ───────────────────────────',
      '-     3     ?     ?   The line is not valid JSON.',
    ]);
  });

  it('says so when there was nothing', () => {
    expect(describeResult({ accepted: {}, rejected: [], warnings: [] })).toBe('No lines: nothing to import.');
  });
});

describe('joined', () => {
  it('adds up what was accepted and keeps what was rejected', () => {
    const rejected = { file: '-', line: 3, kind: 'workday', id: null, reason: 'No.' };
    expect(
      joined(
        { accepted: { workday: 2, employee: 1 }, rejected: [rejected], warnings: [] },
        { accepted: { workday: 3, project: 4 }, rejected: [rejected], warnings: [] },
      ),
    ).toEqual({ accepted: { workday: 5, employee: 1, project: 4 }, rejected: [rejected, rejected], warnings: [] });
  });
});
