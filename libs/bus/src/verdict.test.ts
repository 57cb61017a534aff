import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { judge, type Verdict } from './verdict.js';

const POLICY = { maxAttempts: 5, backoffMs: [1_000, 5_000, 15_000] };
const SECOND = 1_000;

const afterFailure = (code: 'unavailable' | 'internal' | 'invalid', times: number): Verdict =>
  judge(new AppError(code, 'No.'), { deliveries: times, failures: code === 'unavailable' ? 0 : times }, POLICY);

/** What a message waits between its deliveries until it is given up. */
function pausesWhileUnavailable(): readonly number[] {
  const pauses: number[] = [];
  for (;;) {
    const verdict = afterFailure('unavailable', pauses.length + 1);
    if (verdict.kind === 'give_up') return pauses;
    pauses.push(verdict.delayMs);
  }
}

describe('a message whose handler failed', () => {
  it('is tried again with growing pauses, then given up', () => {
    const verdicts = [1, 2, 3, 4, 5].map((deliveries) => afterFailure('internal', deliveries));
    const retries = [1, 5, 15, 15].map((seconds) => ({ kind: 'retry', delayMs: seconds * SECOND }));
    expect(verdicts).toEqual([...retries, { kind: 'give_up' }]);
  });

  it('is given up at once if it can never succeed', () => {
    expect(afterFailure('invalid', 1)).toEqual({ kind: 'give_up' });
  });

  it('is not given up because of the deliveries that an outage took', () => {
    const error = new AppError('precondition', 'Not yet.');
    expect(judge(error, { deliveries: 90, failures: 1 }, POLICY)).toEqual({ kind: 'retry', delayMs: SECOND });
    expect(judge(error, { deliveries: 94, failures: 5 }, POLICY)).toEqual({ kind: 'give_up' });
  });

  it('is handled within two seconds after an outage of a minute, and not given up within a week', () => {
    const pauses = pausesWhileUnavailable();
    let waited = 0;
    const inFirstMinute = pauses.filter((pause) => (waited += pause) <= 60 * SECOND);
    expect(Math.max(...inFirstMinute)).toBe(2 * SECOND);
    expect(Math.max(...pauses)).toBe(30 * SECOND);
    expect(waited).toBeGreaterThan(7 * 86_400 * SECOND);
  });
});
