import { describe, expect, it } from '@jest/globals';
import { table } from './table.js';

describe('table', () => {
  it('pads columns to their longest cell', () => {
    const rows = [
      ['Müller', '1'],
      ['O', '10'],
    ];
    expect(table(['name', 'n'], rows)).toBe(['name    n', '──────  ──', 'Müller  1', 'O       10'].join('\n'));
  });

  it('has one line for each row, also where a cell contains control characters', () => {
    const rows = [['Payroll\u001b[1A\u001b[2K\nstu_0000'], ['x']];
    expect(table(['name'], rows).split('\n')).toEqual([
      'name',
      expect.stringMatching(/^─+$/u),
      'Payroll\\u001b[1A\\u001b[2K\\u000astu_0000',
      'x',
    ]);
  });

  it('leaves no blanks at the end of a line', () => {
    expect(table(['a', 'reason'], [['x', '']])).toBe(['a  reason', '─  ──────', 'x'].join('\n'));
  });
});
