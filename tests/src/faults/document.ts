import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Line } from './campaign.js';
import { rowOf, TABLE_HEAD } from './report.js';
import { scenarios } from './scenarios/index.js';

const FILE = join(import.meta.dirname, '../../../docs/faults.md');
const NAME = /^\| [✓✗] +\| (.*?) +\|/u;

/** Updates the rows of these scenarios in the tables of docs/faults.md; other rows are kept. */
export async function writeDocument(lines: readonly Line[]): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  const rows = new Map(
    text.split('\n').flatMap((row) => (NAME.exec(row)?.[1] === undefined ? [] : ([[NAME.exec(row)?.[1], row]] as const))),
  );
  for (const line of lines) rows.set(line.name, rowOf(line));
  const groups = [...new Set(scenarios.map(({ group }) => group))];
  const tables = groups.map((group) => {
    const own = scenarios.filter((scenario) => scenario.group === group).flatMap(({ name }) => rows.get(name) ?? []);
    return `## ${group[0]?.toUpperCase() ?? ''}${group.slice(1)}\n\n${TABLE_HEAD}\n${own.join('\n')}\n`;
  });
  const [introduction = ''] = text.split(/^## Processes$/m, 1);
  await writeFile(FILE, `${introduction}${tables.join('\n')}`);
}
