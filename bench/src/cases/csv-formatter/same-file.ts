import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportSection, formatOf } from '../../data/export-section.js';
import type { PrepareOptions, Prepared } from '../../harness/types.js';

/** Creates the file that all variants write, as input for the variant that only copies it. */
export async function csvFile({ size }: PrepareOptions): Promise<Prepared> {
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-bench-'));
  const path = join(folder, 'table.csv');
  await writeFile(path, formatOf('csv').write([exportSection(size)]));
  return { values: { path }, close: () => rm(folder, { recursive: true }) };
}
