import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { createProgress } from './progress.js';
import { describeResult, type ImportResult } from './result.js';
import { sendSource } from './send-source.js';
import { openImport } from './session.js';
import { openSources } from './sources.js';

/** The options of `import` as typed. */
export interface ImportOptions {
  readonly dryRun?: boolean;
}

/** Runs `stechuhr import`. @returns the exit code: 1 where a line was rejected */
export async function runImport(names: readonly string[], { dryRun = false }: ImportOptions, output: Output): Promise<number> {
  const result = await importFiles(names, dryRun);
  if (dryRun) output.note('Dry run: nothing was written.');
  output.result(result, () => describeResult(result));
  return result.rejected.length > 0 ? 1 : 0;
}

async function importFiles(names: readonly string[], isDry: boolean): Promise<ImportResult> {
  const sources = openSources(names, process.env['INIT_CWD']);
  const platform = findPlatform();
  const session = openImport((owner) => platform.grpcAddress(owner), isDry);
  const sizes = sources.map(({ bytes }) => bytes);
  const progress = createProgress(
    isDry ? 'checking' : 'importing',
    sizes.reduce<number | null>((sum, size) => (sum === null || size === null ? null : sum + size), 0),
  );
  const before = { bytes: 0, lines: 0 };
  try {
    for (const source of sources) {
      let read = { bytes: 0, lines: 0 };
      await sendSource(session, source, (reading) => {
        read = reading;
        progress.update(before.bytes + reading.bytes, before.lines + reading.lines);
      });
      before.bytes += read.bytes;
      before.lines += read.lines;
    }
    const { accepted, rejected } = await session.finish();
    const position = new Map(names.map((name, index) => [name, index]));
    const inOrder = rejected.toSorted((a, b) => (position.get(a.file) ?? 0) - (position.get(b.file) ?? 0) || a.line - b.line);
    return { accepted, rejected: inOrder };
  } finally {
    progress.stop();
    session.close();
  }
}
