import { callerOfToken } from '../caller-of-token.js';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { givenToken, type TokenOptions } from '../token-options.js';
import { fetchReview } from './fetch-review.js';
import { explainUnavailable } from '../explain-unavailable.js';
import { describeReview, type ReviewResult } from './review.js';

/** The options of `review` as typed by the user. */
export interface ReviewOptions extends TokenOptions {
  readonly month: string;
}

const ERRORS_REMAIN = 3;

/**
 * Runs `stechuhr review`.
 * @returns the exit code: 3 if unsuppressed errors remain
 */
export async function runReview(options: ReviewOptions, output: Output): Promise<number> {
  const { year, month } = monthOf(options.month);
  const token = givenToken(options, output);
  const platform = findPlatform();
  const addresses = { records: platform.grpcAddress('records'), reviews: platform.grpcAddress('reviews') };
  const caller = await callerOfToken(platform, token);
  const findings = await fetchReview({ caller, addresses, year, month }).catch((caught: unknown) => {
    throw explainUnavailable(caught, addresses);
  });
  const open = findings.filter(({ suppressed }) => !suppressed);
  const errors = open.filter(({ severity }) => severity === 'error').length;
  const result: ReviewResult = { year, month, errors, suppressed: findings.length - open.length, findings };
  return output.result(result, () => describeReview(result, output.paint), errors > 0 ? ERRORS_REMAIN : 0);
}

function monthOf(text: string): { readonly year: number; readonly month: number } {
  const [, year = '', month = ''] = /^(\d{4})-(\d{2})$/u.exec(text) ?? [];
  if (Number(year) >= 1970 && Number(month) >= 1 && Number(month) <= 12) return { year: Number(year), month: Number(month) };
  throw new Failure('--month: It must be a calendar month like 2026-05.', 2);
}
