import { bytesOfTexts, type EntryValue } from './entry-value.js';

/** The maximum number of entries of a report, including all versions. A report is computed and printed from all of them. */
const MAX_REPORT_ENTRIES = 10_000;
/** The maximum size of their texts and signatures. The computed fields of a report have to fit into one document. */
const MAX_REPORT_BYTES = 12 * 1024 * 1024;

/** The number and the size of the entries of a report. */
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

const LARGE_ENTRIES = 2_000;
const LARGE_BYTES = 512 * 1024;

/** Whether a report takes so much memory to be printed, ten times its texts, that few may be printed at the same time. */
export function isLarge({ entries, bytes }: ReportSize): boolean {
  return entries > LARGE_ENTRIES || bytes > LARGE_BYTES;
}

/** Why reports cannot be in one PDF that holds at most so much; undefined where they can. */
export function refusalOfPdf({ entries, bytes }: ReportSize, most: ReportSize): string | undefined {
  const instead = 'Request fewer reports, or the format zip.';
  if (entries > most.entries) return `A PDF holds at most ${String(most.entries)} entries; these are ${String(entries)}. ${instead}`;
  if (bytes > most.bytes) return `A PDF holds at most ${String(most.bytes)} bytes of entries; these are ${String(bytes)}. ${instead}`;
  return undefined;
}

/** Why a report may not become as large as this; undefined where it may. */
export function refusalOfSize({ entries, bytes }: ReportSize): string | undefined {
  if (entries > MAX_REPORT_ENTRIES) return `A report may not have more than ${String(MAX_REPORT_ENTRIES)} entries.`;
  if (bytes > MAX_REPORT_BYTES) return `The entries of a report may not have more than ${String(MAX_REPORT_BYTES)} bytes.`;
  return undefined;
}
