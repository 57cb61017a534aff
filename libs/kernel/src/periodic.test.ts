import { describe, expect, it } from '@jest/globals';
import { startPeriodic, type PeriodicOptions } from './periodic.js';

const NEVER_MS = 1_000_000;

function options(more: Partial<PeriodicOptions> = {}) {
  const warnings: [object, string][] = [];
  const logger = { warn: (fields: object, message: string) => void warnings.push([fields, message]) };
  return { warnings, intervalMs: NEVER_MS, logger, failure: 'it failed', ...more };
}

/** Work whose runs end when the test says so. */
function held() {
  const runs: { readonly signal: AbortSignal; end(): void }[] = [];
  const work = (signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    runs.push({ signal, end: resolve });
    return promise;
  };
  return { runs, work };
}

describe('startPeriodic', () => {
  it('runs repeatedly, also after a failure, which is logged', async () => {
    const third = Promise.withResolvers<void>();
    let runs = 0;
    const work = async () => {
      runs += 1;
      if (runs === 3) third.resolve();
      throw new Error(`run ${String(runs)}`);
    };
    const { warnings, ...rest } = options({ intervalMs: 1, fields: { task_id: 't' } });
    const loop = startPeriodic(work, rest);
    await third.promise;
    await loop.stop();
    expect(warnings.slice(0, 2)).toMatchObject([
      [{ err: { message: 'run 1' }, task_id: 't' }, 'it failed'],
      [{ err: { message: 'run 2' }, task_id: 't' }, 'it failed'],
    ]);
  });

  it('waits for the first interval unless it starts at once', async () => {
    const { runs, work } = held();
    const later = startPeriodic(work, options());
    expect(runs).toHaveLength(0);
    const soon = startPeriodic(work, options({ atOnce: true }));
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await Promise.all([later.stop(), soon.stop()]);
  });

  it('runs once more for all callers during a run', async () => {
    const { runs, work } = held();
    const loop = startPeriodic(work, options({ atOnce: true }));
    const asked = [loop.now(), loop.now()];
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    while (runs.length < 2) await Promise.resolve();
    runs[1]?.end();
    await Promise.all(asked);
    expect(runs).toHaveLength(2);
    await loop.stop();
  });

  it('aborts the current run on stop, waits for it, and begins no other', async () => {
    const { runs, work } = held();
    const loop = startPeriodic(work, options({ atOnce: true }));
    const asked = loop.now();
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    expect(runs[0]?.signal.aborted).toBe(true);
    await Promise.resolve();
    expect(stopped).toBe(false);
    runs[0]?.end();
    await Promise.all([stopping, asked, loop.now()]);
    expect(runs).toHaveLength(1);
  });
});
