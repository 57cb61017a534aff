import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { createProgress } from './progress.js';
import { describeResult, type ImportResult, type ImportWarning } from './result.js';
import { sendSource } from './send-source.js';
import { openImport, type ImportTerms } from './session.js';
import { openSources } from './sources.js';

/** The options of `import` as typed. */
export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly strict?: boolean;
}

type Place = Pick<ImportWarning, 'file' | 'line'>;

/** Runs `stechuhr import`. @returns the exit code: 1 where a line was rejected */
export async function runImport(
  names: readonly string[],
  { dryRun = false, strict = false }: ImportOptions,
  output: Output,
): Promise<number> {
  const result = await importFiles(names, { isDry: dryRun, strict });
  if (dryRun) output.note('Dry run: nothing was written.');
  output.result(result, () => describeResult(result));
  return result.rejected.length > 0 ? 1 : 0;
}

async function importFiles(names: readonly string[], terms: ImportTerms): Promise<ImportResult> {
  const sources = openSources(names, process.env['INIT_CWD']);
  const platform = findPlatform();
  const session = openImport((owner) => platform.grpcAddress(owner), terms);
  const sizes = sources.map(({ bytes }) => bytes);
  const progress = createProgress(
    terms.isDry === true ? 'checking' : 'importing',
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
    const { accepted, rejected, warnings } = await session.finish();
    // What concerns no line comes last.
    const position = new Map<string | null, number>([...names.map((name, index) => [name, index] as const), [null, names.length]]);
    const byPlace = (a: Place, b: Place) => (position.get(a.file) ?? 0) - (position.get(b.file) ?? 0) || (a.line ?? 0) - (b.line ?? 0);
    return { accepted, rejected: rejected.toSorted(byPlace), warnings: warnings.toSorted(byPlace) };
  } finally {
    progress.stop();
    session.close();
  }
}
