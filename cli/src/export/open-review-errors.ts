import type { commonV1, exportsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { monthOf, parseLocalDate } from '@stechuhr/worktime';
import { Failure } from '../failure.js';
import type { Platform } from '../platform.js';
import { fetchReview } from '../review/fetch-review.js';

const MAX_MONTHS = 12;

/** The months of a payroll file whose review has errors that no suppression rule hides; also a warning where they cannot be asked. */
export async function openReviewErrors(
  platform: Platform,
  caller: commonV1.Caller,
  daterange: string,
): Promise<readonly exportsV1.ExportWarning[]> {
  const warnings: exportsV1.ExportWarning[] = [];
  for (const { year, month } of monthsOf(daterange)) {
    const about = `${String(year)}-${String(month).padStart(2, '0')}`;
    try {
      const addresses = { records: platform.grpcAddress('records'), reviews: platform.grpcAddress('reviews') };
      const findings = await fetchReview({ caller, addresses, year, month });
      const errors = findings.filter(({ severity, suppressed }) => severity === 'error' && !suppressed).length;
      const message = `The review of ${about} has ${String(errors)} open ${errors === 1 ? 'error' : 'errors'}: stechuhr review --month ${about}.`;
      if (errors > 0) warnings.push({ code: 'open-review-errors', about, message });
    } catch (caught) {
      if (!(caught instanceof Failure) && AppError.from(caught).code !== 'unavailable') throw caught;
      return [
        ...warnings,
        { code: 'open-review-errors', about, message: 'The reviews service does not answer: open errors are not known.' },
      ];
    }
  }
  return warnings;
}

/** Those that the range touches; the export itself has accepted the range. */
function monthsOf(daterange: string): readonly { readonly year: number; readonly month: number }[] {
  const [from, until] = daterange.split('|').map(parseLocalDate);
  if (from === undefined || until === undefined) return [];
  const [first, last] = [monthOf(from), monthOf(until)].map(({ year, month }) => year * 12 + month - 1) as [number, number];
  return Array.from({ length: Math.min(last - first + 1, MAX_MONTHS) }, (_, index) => {
    const ordinal = first + index;
    return { year: Math.floor(ordinal / 12), month: (ordinal % 12) + 1 };
  });
}
