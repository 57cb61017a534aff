import { table } from '../table.js';

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

/** What an import prints with `--json`. */
export interface ImportResult {
  readonly accepted: Readonly<Record<string, number>>;
  readonly rejected: readonly RejectedLine[];
  readonly warnings: readonly ImportWarning[];
}

/** Of two imports one after the other. */
export function joined(first: ImportResult, second: ImportResult): ImportResult {
  const kinds = new Set([...Object.keys(first.accepted), ...Object.keys(second.accepted)]);
  const accepted = [...kinds].map((kind) => [kind, (first.accepted[kind] ?? 0) + (second.accepted[kind] ?? 0)] as const);
  return {
    accepted: Object.fromEntries(accepted),
    rejected: [...first.rejected, ...second.rejected],
    warnings: [...first.warnings, ...second.warnings],
  };
}

/** The result for people: a summary by kind, then each rejected line with its reason, then the warnings. */
export function describeResult({ accepted, rejected, warnings }: ImportResult): string {
  const refused = countBy(rejected);
  const kinds = [...new Set([...Object.keys(accepted), ...refused.keys()])].sort();
  const counts = kinds.map((kind) => [kind, String(accepted[kind] ?? 0), String(refused.get(kind) ?? 0)]);
  if (counts.length === 0) return 'No lines: nothing to import.';
  const lines = rejected.map(({ file, line, kind, id, reason }) => [file, String(line), kind ?? '?', id ?? '?', reason]);
  const named = warnings.map(({ file, line, kind, id, message }) => [
    file ?? '–',
    line === null ? '–' : String(line),
    kind ?? '–',
    id ?? '–',
    message,
  ]);
  return [
    table(['kind', 'accepted', 'rejected'], counts),
    ...(lines.length > 0 ? [table(['file', 'line', 'kind', 'id', 'reason'], lines)] : []),
    ...(named.length > 0 ? [table(['file', 'line', 'kind', 'id', 'warning'], named)] : []),
  ].join('\n\n');
}

function countBy(rejected: readonly RejectedLine[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of rejected) counts.set(kind ?? '?', (counts.get(kind ?? '?') ?? 0) + 1);
  return counts;
}
