import type { CaseResult } from './run-case.js';
import type { Judgement } from './judge.js';
import { median } from './statistics.js';

/** Returns the measures of a case as a Markdown table. Ratios are in {@link describeGoals}. */
export function describeCase({ case: given, size, notes, runs, problems }: CaseResult): string {
  const head = [`### ${given.name}: ${given.title}`, '', [`size ${size}`, ...notes].join('; '), ''];
  if (problems.length > 0) return [...head, ...problems].join('\n');
  const measures = [...new Set(Object.values(runs).flatMap((list) => list.flatMap((run) => Object.keys(run))))];
  const rows = Object.entries(runs).map(([name, list]) => {
    const cells = measures.map((measure) => cell(list.map((run) => run[measure]).filter((value) => value !== undefined)));
    return [name, ...cells];
  });
  return [...head, table(['variant', ...measures], rows)].join('\n');
}

/** Returns the final table: every goal with its ratio and verdict. In a quick run no ratio is evaluated. */
export function describeGoals(results: readonly CaseResult[], quick: boolean): string {
  const rows = results.flatMap((result) => result.judgements.map((judgement) => goalRow(result, judgement, quick)));
  const sorted = rows.toSorted((a, b) => (a[0] ?? '').localeCompare(b[0] ?? '', 'en', { numeric: true }));
  return table(['goal', 'case', 'ratio', 'value', 'target', 'stretch', 'verdict'], sorted);
}

/** A case that could not be run to its end, and why. */
export interface BrokenCase {
  readonly name: string;
  readonly reason: unknown;
}

/**
 * Returns the last lines of a run: the failed cases, with the reasons that are in no table. CI shows only the end of the output. Empty if no
 * case failed. In a quick run a missed goal is no failure.
 */
export function describeFailures(results: readonly CaseResult[], broken: readonly BrokenCase[], quick: boolean): string {
  const missed = ({ judgements }: CaseResult): boolean => !quick && judgements.some(({ verdict }) => verdict === 'missed');
  const failed = results.filter((result) => result.problems.length > 0 || missed(result));
  const names = [...failed.map(({ case: { name } }) => name), ...broken.map(({ name }) => name)];
  if (names.length === 0) return '';
  const problems = failed.flatMap(({ case: { name }, problems }) => problems.map((problem) => `${name}: ${problem}`));
  const reasons = broken.map(({ name, reason }) => `${name}: ${String(reason)}`);
  return [`failed: ${names.join(', ')}`, ...problems, ...reasons].join('\n');
}

function goalRow({ case: given }: CaseResult, { ratio, value, verdict }: Judgement, quick: boolean): readonly string[] {
  const sign = ratio.atLeast === true ? '≥' : '≤';
  // A divisor of 1 means that the measure itself is compared.
  const below = ratio.to === 1 ? '' : ` / ${ratio.to}`;
  const what = `${ratio.measure} of ${ratio.of}${below}${ratio.note === undefined ? '' : ` (${ratio.note})`}`;
  const stretch = ratio.stretch === undefined ? '–' : `${sign} ${ratio.stretch}`;
  return [ratio.goal, given.name, what, short(value), `${sign} ${ratio.target}`, stretch, quick ? 'not judged' : verdict];
}

function cell(values: readonly number[]): string {
  if (values.length === 0) return '–';
  if (values.length === 1) return short(values[0] ?? 0);
  return `${short(median(values))} (${short(Math.min(...values))}–${short(Math.max(...values))})`;
}

/** Formats a number with three significant digits. */
function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
