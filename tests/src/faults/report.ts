import { holds, type Line } from './campaign.js';

const HEAD = ['scenario', 'told', 'stored', 'lost', 'doubled', 'left behind', 'wrong', '5xx', 'slowest', 'recovery'];

const cellsOf = (line: Line): readonly string[] => {
  const { name, acknowledged, stored, lost, doubled, leftBehind, wrong, unavailable, slowestMs, recoveryMs } = line;
  const counts = [acknowledged, stored, lost.length, doubled.length, leftBehind.length, wrong.length, unavailable].map(String);
  return [name, ...counts, seconds(slowestMs), seconds(recoveryMs)];
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Returns a line for the output, with the reasons if the scenario failed. */
export function shown(line: Line): string {
  const [name = '', ...cells] = cellsOf(line);
  const head = HEAD.slice(1).map((title, index) => `${title} ${cells[index] ?? ''}`);
  return [`${holds(line) ? '✓' : '✗'} ${name} (${line.seconds.toFixed(0)} s): ${head.join(', ')}`, ...reasons(line)].join('\n  ');
}

function reasons({ failure, lost, doubled, leftBehind, wrong }: Line): readonly string[] {
  const named = { lost, doubled, 'left behind': leftBehind, wrong };
  const found = Object.entries(named).flatMap(([what, cases]) => cases.slice(0, 8).map((one) => `${what}: ${one}`));
  return failure === undefined ? found : [failure, ...found];
}

/** Returns the row for docs/faults.md. */
export function rowOf(line: Line): string {
  return `| ${[holds(line) ? '✓' : '✗', ...cellsOf(line)].join(' | ')} |`;
}

/** The head of the table in docs/faults.md. */
export const TABLE_HEAD = [`|   | ${HEAD.join(' | ')} |`, `| - | - |${' -: |'.repeat(HEAD.length - 1)}`].join('\n');
