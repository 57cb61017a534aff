import type { Output } from '../output.js';
import { Failure } from '../failure.js';
import { findPlatform, type Platform } from '../platform.js';
import { readDirectory } from './csv/directory.js';
import { readMappingFile, type Mapping } from './csv/mapping.js';
import { inColumns, readingOf, sendCsv } from './csv/send-csv.js';
import { createProgress } from './progress.js';
import { describeResult, type ImportResult, type ImportWarning } from './result.js';
import { sendSource, type Reading } from './send-source.js';
import { openImport, type ImportSession, type ImportTerms } from './session.js';
import { findFile, openSources, type Source } from './sources.js';

/** The options of `import` as typed. */
export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly strict?: boolean;
  /** What the columns of CSV files are; without it, files are NDJSON. */
  readonly mapping?: string;
}

type Place = Pick<ImportWarning, 'file' | 'line'>;

/** Runs `stechuhr import`. @returns the exit code: 1 where a line was rejected */
export async function runImport(
  names: readonly string[],
  { dryRun = false, strict = false, mapping }: ImportOptions,
  output: Output,
): Promise<number> {
  const result = await importFiles(names, { isDry: dryRun, strict }, mapping === undefined ? undefined : mappingOf(mapping));
  if (dryRun) output.note('Dry run: nothing was written.');
  output.result(result, () => describeResult(result));
  return result.rejected.length > 0 ? 1 : 0;
}

async function importFiles(names: readonly string[], terms: ImportTerms, mapping?: Mapping): Promise<ImportResult> {
  const sources = openSources(names, process.env['INIT_CWD']);
  const platform = findPlatform();
  const send = await senderOf(platform, mapping);
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
      await send(session, source, (reading) => {
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
    const result = { accepted, rejected: rejected.toSorted(byPlace), warnings: warnings.toSorted(byPlace) };
    return mapping === undefined ? result : inColumns(result, mapping);
  } finally {
    progress.stop();
    session.close();
  }
}

type Send = (session: ImportSession, source: Source, onRead: (reading: Reading) => void) => Promise<void>;

async function senderOf(platform: Platform, mapping: Mapping | undefined): Promise<Send> {
  if (mapping === undefined) return sendSource;
  const reading = readingOf(mapping, await readDirectory(platform.grpcAddress('records'), mapping));
  return (session, source, onRead) => sendCsv(session, source, reading, onRead);
}

/** @throws Failure (wrong usage) with every problem of the mapping */
function mappingOf(name: string): Mapping {
  const file = findFile(name, process.env['INIT_CWD']);
  if (typeof file !== 'object') throw new Failure(`--mapping: ${file}`, 2);
  const mapping = readMappingFile(file.path);
  if ('kind' in mapping) return mapping;
  throw new Failure(`--mapping: ${name} is no mapping (docs/csv-import/README.md):\n${mapping.join('\n')}\nNothing was sent.`, 2);
}
