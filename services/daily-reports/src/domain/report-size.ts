import { bytesOfTexts, type EntryValue } from './entry-value.js';

/** Limit of entries per report, including all versions: a report is described and printed from all of them. */
const MAX_REPORT_ENTRIES = 10_000;
/** Limit for the texts and signatures in them: the description of a report has to fit into one document. */
const MAX_REPORT_BYTES = 12 * 1024 * 1024;

/** The number and size of a report's entries. */
export interface ReportSize {
  readonly entries: number;
  readonly bytes: number;
}

export const NO_ENTRIES: ReportSize = { entries: 0, bytes: 0 };

export function sizeOf(values: readonly EntryValue[]): ReportSize {
  return { entries: values.length, bytes: values.reduce((sum, value) => sum + bytesOfTexts(value), 0) };
}

export function together(a: ReportSize, b: ReportSize): ReportSize {
  return { entries: a.entries + b.entries, bytes: a.bytes + b.bytes };
}

/** Why a report may not grow to this size; undefined if it may. */
export function refusalOfSize({ entries, bytes }: ReportSize): string | undefined {
  if (entries > MAX_REPORT_ENTRIES) return `A report may not have more than ${String(MAX_REPORT_ENTRIES)} entries.`;
  if (bytes > MAX_REPORT_BYTES) return `The entries of a report may not have more than ${String(MAX_REPORT_BYTES)} bytes.`;
  return undefined;
}
