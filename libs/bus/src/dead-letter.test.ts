import { describe, expect, it } from '@jest/globals';
import { describeDeadLetter } from './dead-letter.js';

const given = { subject: 'stechuhr.ingest.a.employee', payload: Buffer.from('{}'), reason: 'No.', deliveries: 4, failedAt: 0 };

describe('a dead letter', () => {
  it('is Unicode wherever its reason is cut', () => {
    const { reason } = describeDeadLetter({ ...given, reason: `x${'🏗'.repeat(600)}` }, 1_000_000);
    expect(reason).toBe(`x${'🏗'.repeat(499)}…`);
  });
});
