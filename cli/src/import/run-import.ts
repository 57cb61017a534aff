import type { Output } from '../output.js';
import { Failure } from '../failure.js';
import { findPlatform, type Platform } from '../platform.js';
import { readDirectory } from './csv/directory.js';
import { readMappingFile, type Mapping } from './csv/mapping.js';
import { inColumns, readingOf, sendCsv } from './csv/send-csv.js';
import { createProgress } from './progress.js';
import { describeResult, jsonOf, withFindings, type FoundInImport, type ImportResult } from './result.js';
import { sendSource, type Reading } from './send-source.js';
import { openImport, type ImportSession, type ImportTerms } from './session.js';
import { findFile, openSources, type Source } from './sources.js';

/** The options of `import` as typed by the user. */
export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly strict?: boolean;
  /** A file with the mapping of CSV columns; without it, the files are NDJSON. */
  readonly mapping?: string;
}

/**
 * Runs `stechuhr import`.
 * @returns the exit code: 1 if a line was rejected
 */
export async function runImport(
  names: readonly string[],
  { dryRun = false, strict = false, mapping }: ImportOptions,
  output: Output,
): Promise<number> {
  const columns = mapping === undefined ? undefined : mappingOf(mapping);
  return withFindings(names, async (found) => {
    const accepted = await importFiles(names, found, { terms: { isDry: dryRun, strict }, mapping: columns });
    const result = { accepted, ...found };
    if (dryRun) output.note('Dry run: nothing was written.');
    return output.largeResult(
      () => jsonOf(result),
      () => describeResult(result),
      found.rejected.count > 0 ? 1 : 0,
    );
  });
}

/** How the files are read and where their lines are sent. */
interface ReadAs {
  readonly terms: ImportTerms;
  readonly mapping: Mapping | undefined;
}

async function importFiles(names: readonly string[], found: FoundInImport, { terms, mapping }: ReadAs): Promise<ImportResult['accepted']> {
  const sources = openSources(names, process.env['INIT_CWD']);
  const platform = findPlatform();
  const send = await senderOf(platform, mapping);
  const session = openImport((owner) => platform.grpcAddress(owner), found, {
    ...terms,
    ...(mapping !== undefined && { toTermsOfFile: inColumns(mapping) }),
  });
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
    return await session.finish();
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

/** @throws Failure (wrong usage) with all problems of the mapping */
function mappingOf(name: string): Mapping {
  const file = findFile(name, process.env['INIT_CWD']);
  if (typeof file !== 'object') throw new Failure(`--mapping: ${file}`, 2);
  const mapping = readMappingFile(file.path);
  if ('kind' in mapping) return mapping;
  throw new Failure(`--mapping: ${name} is not a valid mapping (docs/csv-import/README.md):\n${mapping.join('\n')}\nNothing was sent.`, 2);
}
