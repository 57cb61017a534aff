import type { Outcome } from './scenarios/scenario.js';

/** A row of the table. */
export interface Line extends Outcome {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
}

/** Returns the final table. */
export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ name, verdict, requests, failed, worstMs, seconds, note = '' }) => [
    verdict === 'passed' ? '✓' : verdict === 'failed' ? '✗' : '–',
    name,
    requests === undefined ? '' : String(requests),
    failed === undefined ? '' : String(failed),
    worstMs === undefined ? '' : `${worstMs} ms`,
    seconds.toFixed(0),
    note,
  ]);
  const all = [['', 'scenario', 'requests', 'failed', 'worst', 'seconds', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => (column < 2 || column === 6 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns the number of scenarios that passed, failed and were skipped. */
export function countsOf(lines: readonly Line[]): string {
  const count = (verdict: Line['verdict']): number => lines.filter((line) => line.verdict === verdict).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
