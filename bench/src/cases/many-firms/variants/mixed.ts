import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../../harness/statistics.js';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';
import type { ManyFirmsValues } from '../case.js';
import { requestsOf, type Asked } from '../requests.js';

/** Requests begin when they are due, whatever became of those before: a slow answer makes nobody ask later. */
export const run: Run = async ({ values }) => {
  const own = platformValues<ManyFirmsValues>(values);
  const requests = requestsOf(own, 'mixed');
  const times: Record<Asked, number[]> = { list: [], export: [], write: [] };
  let failed = 0;
  const ask = async (kind: Asked): Promise<void> => {
    const took = await requests[kind]()().catch(() => undefined);
    if (took === undefined) failed += 1;
    else times[kind].push(took);
  };
  const outcome = await measuredWork(own, async () => {
    const asked: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let dueMs = 0; dueMs < own.durationMs; dueMs += 1_000 / own.perSecond) {
      const leftMs = startedAt + dueMs - performance.now();
      if (leftMs > 0) await sleep(leftMs);
      asked.push(ask(requests.draw()));
    }
    await Promise.all(asked);
    return asked.length;
  });
  const latencies = Object.entries(times).flatMap(([kind, all]) => [
    [`${kind}P50Ms`, percentile(all, 0.5)],
    [`${kind}P99Ms`, percentile(all, 0.99)],
  ]);
  return { values: { ...outcome.values, ...Object.fromEntries(latencies), p99Ms: percentile(times.list, 0.99), failed } };
};
