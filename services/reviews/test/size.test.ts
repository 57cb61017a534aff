import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reviewsV1 } from '@stechuhr/contracts';
import { buildContract, buildEmployee, buildInstitution, buildWorkday, waitFor } from '@stechuhr/testing';
import { callerOf, startReviews, type RunningReviews } from './support/running-reviews.js';

const EMPLOYEES = 1_000;
/** One of the 18 planned days of May 2026 was worked, so the account lacks 17 days. */
const FINDINGS_EACH = 18;
const GRPC_LIMIT = 4 * 1024 * 1024;

const institution = buildInstitution();
const ids = { institution_id: institution.id };
const caller = callerOf(institution.id);
let running: RunningReviews;

beforeAll(async () => {
  // Two reviews of the test: each finding refers to an employee and a month.
  running = await startReviews(undefined, { maxUnreceived: 2 * EMPLOYEES * FINDINGS_EACH * 2 });
  const staff = Array.from({ length: EMPLOYEES }, () => buildEmployee(ids));
  const lines = staff.flatMap(({ id }) => [
    buildContract({ ...ids, employee_id: id }),
    buildWorkday({ ...ids, employee_id: id, date: '2026-05-04' }),
  ]);
  await running.importLines([institution, ...staff, ...lines]);
});
afterAll(() => running.stop());

describe('a review with more findings than fit into a message', () => {
  it('returns all of them in order while other calls are served', async () => {
    const admin = running.as(caller);
    let served = 0;
    let servedWhileRunning = -1;
    const run = admin.run({ year: '2026', month: '5' }).finally(() => (servedWhileRunning = served));
    for (; servedWhileRunning < 0; served += 1) await admin.list();
    const messages = await run;
    const sizes = messages.map((message) => reviewsV1.RunReviewResponse.encode(message).finish().length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(GRPC_LIMIT);
    expect(Math.max(...sizes)).toBeLessThan(GRPC_LIMIT / 8);
    const keys = messages.flatMap(({ findings }) => findings.map(keyOf));
    expect(keys).toHaveLength(EMPLOYEES * FINDINGS_EACH);
    expect(keys).toEqual(keys.toSorted());
    expect(servedWhileRunning).toBeGreaterThan(0);
  });
});

describe('a review that its client does not receive', () => {
  it('is not followed by any number of others of the same institution', async () => {
    const begun = [await running.as(caller).begin(2026, 5), await running.as(caller).begin(2026, 5)];
    await expect(running.as(caller).review(2026, 5)).rejects.toMatchObject({ code: 'rate_limited' });
    await Promise.all(begun.map((end) => end()));
    const isReleased = async () =>
      (
        await running
          .as(caller)
          .review(2026, 5)
          .catch(() => [])
      ).length > 0;
    await waitFor(isReleased);
  });
});

function keyOf({ date, severity, code, references }: reviewsV1.Finding): string {
  return [date, severity, code, references[0]?.id].join(' ');
}
