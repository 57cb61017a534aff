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

  it('leaves no blanks at the end of a line', () => {
    expect(table(['a', 'reason'], [['x', '']])).toBe(['a  reason', '─  ──────', 'x'].join('\n'));
  });
});
