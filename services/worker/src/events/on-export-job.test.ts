import { describe, expect, it } from '@jest/globals';
import { streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Ports } from '../operations/ports.js';
import { exportJobConsumer } from './on-export-job.js';

const unreachable: Ports['jobs']['claim'] = async () => {
  throw new AppError('unavailable', 'A service is not available.');
};

/** Returns the outcome of a message of this age while tasks is unavailable. */
function handled(ageMs: number): Promise<void> {
  const { handler } = exportJobConsumer({ jobs: { claim: unreachable } } as Ports, 1);
  return handler({
    subject: 'stechuhr.jobs.export',
    payload: new Uint8Array(),
    stream: streams.jobs.name,
    streamSequence: 1,
    deliveries: 30,
    storedAt: new Date(Date.now() - ageMs),
    header: () => undefined,
    text: () => '',
    json: () => ({ task_id: '0198d5a0-0000-7000-8000-000000000001', institution_id: '0198d5a0-0000-7000-8000-000000000002' }),
  });
}

describe('the message of a job, while tasks is unavailable', () => {
  it('stays in the queue as long as the stream would drop a duplicate', async () => {
    await expect(handled(streams.jobs.duplicateWindowMs / 2)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is removed from the queue once tasks can publish it again', async () => {
    await expect(handled(2 * streams.jobs.duplicateWindowMs)).resolves.toBeUndefined();
  });
});

describe('the message of a job that fails before its attempt starts', () => {
  it('is not given up as long as the stream would drop a duplicate', () => {
    const { maxAttempts, backoffMs = [] } = exportJobConsumer({} as Ports, 1);
    const pauses = Array.from({ length: maxAttempts - 1 }, (_, before) => backoffMs[Math.min(before, backoffMs.length - 1)] ?? 0);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(streams.jobs.duplicateWindowMs);
  });
});
