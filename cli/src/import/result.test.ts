import { describe, expect, it } from '@jest/globals';
import { Findings } from './findings.js';
import { describeResult, jsonOf, sumOf, type ImportResult, type RejectedLine } from './result.js';

const line: RejectedLine = { file: '-', line: 3, kind: null, id: null, reason: 'The line is not valid JSON.' };

function resultOf(accepted: ImportResult['accepted'], rejected: readonly RejectedLine[] = []): ImportResult {
  const result: ImportResult = { accepted, rejected: new Findings(['-']), warnings: new Findings(['-']) };
  for (const one of rejected) result.rejected.add(one);
  return result;
}

describe('describeResult', () => {
  it('shows counts by kind, then each rejected line', () => {
    expect(describeResult(resultOf({ workday: 12, employee: 2 }, [line])).split('\n')).toEqual([
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

  it('shows the first hundred rejected lines, and says how many there are', () => {
    const many = Array.from({ length: 1_234 }, (_, at) => ({ ...line, line: at + 1 }));
    const shown = describeResult(resultOf({}, many)).split('\n');
    expect(shown.filter((row) => row.startsWith('-  '))).toHaveLength(100);
    expect([shown[2], shown.at(-1)]).toEqual(['?     0         1234', '… and 1134 more rejected lines; --json prints all of them.']);
  });

  it('says so when there was nothing', () => {
    expect(describeResult(resultOf({}))).toBe('No lines: nothing to import.');
  });
});

describe('jsonOf', () => {
  it.each([[[]], [[line]], [[line, { ...line, line: 4 }]]])('is one value, however many lines were rejected: %j', (rejected) => {
    const json = [...jsonOf(resultOf({ workday: 12 }, rejected))].join('');
    expect(JSON.parse(json)).toEqual({ accepted: { workday: 12 }, rejected, warnings: [] });
  });
});

describe('sumOf', () => {
  it('adds up what was accepted', () => {
    const accepted = [
      { workday: 2, employee: 1 },
      { workday: 3, project: 4 },
    ];
    expect(sumOf(accepted)).toEqual({ workday: 5, employee: 1, project: 4 });
  });
});
