import type { ExportRequest, ExportWarning } from '@stechuhr/exporting';
import { monthOf, type YearMonth } from '@stechuhr/worktime';
import type { CallerReviews } from './ports.js';

/** How long an export waits for the reviews of its months, in milliseconds. */
export const REVIEW_WAIT_MS = 2_000;
/** The same for a preflight, which has nothing else to wait for. */
export const PREFLIGHT_REVIEW_WAIT_MS = 40_000;

/** The maximum number of months of a payroll file that are reviewed: one year. */
const MAX_MONTHS = 12;

/**
 * Returns warnings about months of a payroll file with errors that no suppression rule hides. A review reads all working time of a month,
 * so waiting is limited. A review that does not complete in time also becomes a warning, and never a failure of the export.
 *
 * @param waitMs the timeout for all months together
 */
export async function reviewWarnings(
  reviews: CallerReviews,
  { sections }: ExportRequest,
  waitMs: number,
): Promise<readonly ExportWarning[]> {
  const [section] = sections;
  if (section?.isPayroll !== true) return [];
  const until = performance.now() + waitMs;
  const warnings: ExportWarning[] = [];
  for (const month of monthsOf(section.period)) {
    const about = `${String(month.year)}-${String(month.month).padStart(2, '0')}`;
    const count = await openErrors(reviews, month, until - performance.now());
    if (count === undefined) {
      warnings.push({ code: 'review-unknown', about, message: `The review of ${about} did not answer: open errors are not known.` });
    } else if (count > 0) {
      const message = `The review of ${about} has ${String(count)} open ${count === 1 ? 'error' : 'errors'}.`;
      warnings.push({ code: 'open-review-errors', about, message });
    }
  }
  return warnings;
}

/** Returns the number of open errors; undefined if it is unknown or not known in time. */
async function openErrors(reviews: CallerReviews, month: YearMonth, waitMs: number): Promise<number | undefined> {
  if (waitMs <= 0) return undefined;
  // Errors of the review, for example about an unexpected record, are ignored, because payroll must still be possible. The reviews service
  // reports them.
  return reviews.countOpenErrors(month, waitMs).catch(() => undefined);
}

function monthsOf({ first, last }: { readonly first: number; readonly last: number }): readonly YearMonth[] {
  const [from, to] = [monthOf(first), monthOf(last)].map(({ year, month }) => year * 12 + month - 1) as [number, number];
  return Array.from({ length: Math.min(to - from + 1, MAX_MONTHS) }, (_, index) => {
    const ordinal = from + index;
    return { year: Math.floor(ordinal / 12), month: (ordinal % 12) + 1 };
  });
}
