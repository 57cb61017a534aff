import { table } from '../table.js';
import { Findings } from './findings.js';

export interface RejectedLine {
  /** As given on the command line, `-` for standard input. */
  readonly file: string;
  readonly line: number;
  /** Null where the line does not contain it. */
  readonly kind: string | null;
  readonly id: string | null;
  readonly reason: string;
}

/** What was accepted and is probably not meant. */
export interface ImportWarning {
  /** Null where it concerns what is stored after the import. */
  readonly file: string | null;
  readonly line: number | null;
  readonly kind: string | null;
  readonly id: string | null;
  readonly message: string;
}

/** What an import says of its lines. */
export interface FoundInImport {
  readonly rejected: Findings<RejectedLine>;
  readonly warnings: Findings<ImportWarning>;
}

export interface ImportResult extends FoundInImport {
  readonly accepted: Readonly<Record<string, number>>;
}

/** Has the findings of an import, in the order of its files, until `run` has ended. */
export async function withFindings<T>(files: readonly string[], run: (found: FoundInImport) => Promise<T>): Promise<T> {
  const found: FoundInImport = { rejected: new Findings(files), warnings: new Findings(files) };
  try {
    return await run(found);
  } finally {
    found.rejected.close();
    found.warnings.close();
  }
}

/** Of imports one after the other. */
export function sumOf(accepted: readonly ImportResult['accepted'][]): ImportResult['accepted'] {
  const sum: Record<string, number> = {};
  for (const counts of accepted) for (const [kind, count] of Object.entries(counts)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

/** What an import prints with `--json`, in parts: each line may have been rejected. */
export function* jsonOf({ accepted, rejected, warnings }: ImportResult): Generator<string> {
  yield `{"accepted":${JSON.stringify(accepted)},"rejected":[`;
  yield* listed(rejected);
  yield '],"warnings":[';
  yield* listed(warnings);
  yield ']}';
}

function* listed(findings: Iterable<unknown>): Generator<string> {
  let before = '';
  for (const finding of findings) {
    yield before + JSON.stringify(finding);
    before = ',';
  }
}

/** As many rejected lines, and warnings, people are shown. */
const SHOWN = 100;

/** The result for people: a summary by kind, then the first rejected lines with their reasons, then the first warnings. */
export function describeResult({ accepted, rejected, warnings }: ImportResult): string {
  const lines = rejected.first(SHOWN).map(({ file, line, kind, id, reason }) => [file, String(line), kind ?? '?', id ?? '?', reason]);
  const named = warnings
    .first(SHOWN)
    .map(({ file, line, kind, id, message }) => [file ?? '–', line === null ? '–' : String(line), kind ?? '–', id ?? '–', message]);
  return [
    describeCounts(accepted, rejected.byKind),
    ...(rejected.count > 0 ? [firstOf('rejected lines', rejected.count, table(['file', 'line', 'kind', 'id', 'reason'], lines))] : []),
    ...(warnings.count > 0 ? [firstOf('warnings', warnings.count, table(['file', 'line', 'kind', 'id', 'warning'], named))] : []),
  ].join('\n\n');
}

function firstOf(what: string, count: number, shown: string): string {
  return count > SHOWN ? `${shown}\n… and ${String(count - SHOWN)} more ${what}; --json prints all of them.` : shown;
}

/** A summary by kind. */
export function describeCounts(accepted: ImportResult['accepted'], rejected: ReadonlyMap<string, number> = new Map()): string {
  const kinds = [...new Set([...Object.keys(accepted), ...rejected.keys()])].sort();
  if (kinds.length === 0) return 'No lines: nothing to import.';
  const counts = kinds.map((kind) => [kind, String(accepted[kind] ?? 0), String(rejected.get(kind) ?? 0)]);
  return table(['kind', 'accepted', 'rejected'], counts);
}
