import { parseBody, reviewQuery } from '@stechuhr/contracts';
import { firstDayOfMonth, lastDayOfMonth, type YearMonth } from '@stechuhr/worktime';
import { overtimeAccountOutOfRange } from '../domain/checks/overtime-account-out-of-range.js';
import { startReview, type Review } from '../domain/review.js';
import { activeChecks, defaultSettings, type ActiveCheck } from '../domain/settings.js';
import type { Call, Ports, Tenant } from './ports.js';

/** The checks that run for an institution, with what it customized. */
export async function listChecks({ settings }: Pick<Ports, 'settings'>, tenant: Tenant): Promise<readonly ActiveCheck[]> {
  return activeChecks((await settings.find(tenant)) ?? defaultSettings);
}

/** The month that a query asks for. @throws AppError `invalid` naming the bad parameters */
export function reviewedMonth(parameters: Readonly<Record<string, string>>): YearMonth {
  return parseBody(reviewQuery, parameters);
}

/**
 * Reviews a month of the whole institution in one pass over the streamed records. Only findings are kept: what was read of an employee is
 * released as soon as it has been checked.
 *
 * @throws AppError `rate_limited` when too many runs of the institution wait
 */
export async function runReview(call: Call, month: YearMonth): Promise<Review> {
  const active = await listChecks(call, call.caller);
  return call.inRunSlot(call.caller.institutionId, () => reviewStaff(call, active, month), call.signal);
}

async function reviewStaff({ records, clock }: Call, active: readonly ActiveCheck[], { year, month }: YearMonth): Promise<Review> {
  const days = { first: firstDayOfMonth({ year, month }), last: lastDayOfMonth({ year, month }) };
  const review = startReview(active, { month: days, now: Math.floor(clock.now() / 1000) });
  if (active.length === 0) return review;
  const [organization, staff] = await Promise.all([records.readOrganization(), records.readStaff()]);
  const accounts = active.some(({ check }) => check === overtimeAccountOutOfRange);
  for await (const some of records.readRecords({ organization, staff, month: days, accounts })) for (const one of some) review.add(one);
  return review;
}
