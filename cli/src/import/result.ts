import { table } from '../table.js';
import { Findings } from './findings.js';

export interface RejectedLine {
  /** As given on the command line; `-` is standard input. */
  readonly file: string;
  readonly line: number;
  /** Null if the line does not contain a kind. */
  readonly kind: string | null;
  readonly id: string | null;
  readonly reason: string;
}

/** A line that was accepted but is probably not what the user meant. */
export interface ImportWarning {
  /** Null if it concerns what is stored after the import. */
  readonly file: string | null;
  readonly line: number | null;
  readonly kind: string | null;
  readonly id: string | null;
  readonly message: string;
}

/** All messages of an import about its lines. */
export interface FoundInImport {
  readonly rejected: Findings<RejectedLine>;
  readonly warnings: Findings<ImportWarning>;
}

export interface ImportResult extends FoundInImport {
  readonly accepted: Readonly<Record<string, number>>;
}

/** Collects the findings of an import, in the order of its files, and removes them when `run` has ended. */
export async function withFindings<T>(files: readonly string[], run: (found: FoundInImport) => Promise<T>): Promise<T> {
  const found: FoundInImport = { rejected: new Findings(files), warnings: new Findings(files) };
  try {
    return await run(found);
  } finally {
    found.rejected.close();
    found.warnings.close();
  }
}

/** The sum over several imports. */
export function sumOf(accepted: readonly ImportResult['accepted'][]): ImportResult['accepted'] {
  const sum: Record<string, number> = {};
  for (const counts of accepted) for (const [kind, count] of Object.entries(counts)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

/** The output of an import with `--json`, in parts: with a rejected file it is too large for one string. */
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

/** How many rejected lines, and how many warnings, the text output shows. */
const SHOWN = 100;

/** The result as text: a summary by kind, then the first rejected lines with their reasons, then the first warnings. */
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
