import { describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@stechuhr/service';
import { holdLease } from './hold-lease.js';
import type { Job, JobBoard } from './ports.js';

function leaseOf(held: boolean, stopping = new AbortController().signal) {
  const report = jest.fn<JobBoard['report']>().mockResolvedValue(held);
  const jobs = { report } as Partial<JobBoard> as JobBoard;
  return { report, lease: holdLease({ jobs, stopping, logger: createLogger('test', 'fatal') }, { taskId: 'a', leaseMs: 30_000 } as Job) };
}

describe('a lease', () => {
  it('is known to be lost as soon as its attempt fails', async () => {
    const { lease } = leaseOf(false);
    expect(await lease.isLost()).toBe(true);
    expect(lease.signal.aborted).toBe(true);
    await lease.stop();
  });

  it('that is still held lets a failure count', async () => {
    const { lease } = leaseOf(true);
    expect(await lease.isLost()).toBe(false);
    await lease.stop();
  });

  it('is not asked for while the process stops', async () => {
    const { lease, report } = leaseOf(false, AbortSignal.abort());
    expect(await lease.isLost()).toBe(false);
    expect(report).not.toHaveBeenCalled();
    await lease.stop();
  });
});
