import { parseBody, reviewQuery } from '@stechuhr/contracts';
import { firstDayOfMonth, lastDayOfMonth, type DateRange, type YearMonth } from '@stechuhr/worktime';
import { overtimeAccountOutOfRange } from '../domain/checks/overtime-account-out-of-range.js';
import { startReview, type Review } from '../domain/review.js';
import { activeChecks, defaultSettings, type ActiveCheck } from '../domain/settings.js';
import { hiddenBy } from '../domain/suppression.js';
import { packFindings } from './pack-findings.js';
import type { Call, Ports, Tenant } from './ports.js';

/** Returns the active checks of an institution with its customized options. */
export async function listChecks({ settings }: Pick<Ports, 'settings'>, tenant: Tenant): Promise<readonly ActiveCheck[]> {
  return activeChecks((await settings.find(tenant)) ?? defaultSettings);
}

/** Returns the month of a query. @throws AppError `invalid` naming the invalid parameters */
export function reviewedMonth(parameters: Readonly<Record<string, string>>): YearMonth {
  return parseBody(reviewQuery, parameters);
}

/**
 * Reviews a month of the whole institution in one pass over the streamed records. Only findings are kept: the records of an employee are
 * released once they have been checked.
 *
 * @throws AppError `rate_limited` if too many runs of the institution are waiting; `invalid` if there are too many findings
 */
export async function runReview(call: Call, month: YearMonth): Promise<Review> {
  const active = await listChecks(call, call.caller);
  return call.inRunSlot(call.caller.institutionId, () => reviewStaff(call, active, month), { signal: call.signal });
}

/** Counts the errors of a month that no suppression rule hides. @throws AppError as {@link runReview} */
export async function countOpenErrors(call: Call, month: YearMonth): Promise<number> {
  const [{ findings }, rules] = await Promise.all([runReview(call, month), call.suppressions.ofInstitution(call.caller)]);
  const isHidden = hiddenBy(rules, daysOf(month));
  let open = 0;
  for (const { check, employeeId, found } of findings) {
    if (check.severity === 'error' && !isHidden({ code: check.code, employeeId, date: found.date })) open += 1;
  }
  return open;
}

function daysOf(month: YearMonth): DateRange {
  return { first: firstDayOfMonth(month), last: lastDayOfMonth(month) };
}

async function reviewStaff({ records, clock }: Call, active: readonly ActiveCheck[], month: YearMonth): Promise<Review> {
  const days = daysOf(month);
  const review = startReview(active, { month: days, now: Math.floor(clock.now() / 1000) }, packFindings);
  if (active.length === 0) return review;
  const [organization, staff] = await Promise.all([records.readOrganization(), records.readStaff()]);
  const accounts = active.some(({ check }) => check === overtimeAccountOutOfRange);
  for await (const some of records.readRecords({ organization, staff, month: days, accounts })) for (const one of some) review.add(one);
  return review;
}
