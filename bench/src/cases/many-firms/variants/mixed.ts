import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../../harness/statistics.js';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';
import type { ManyFirmsValues } from '../case.js';
import { requestsOf, type RequestKind } from '../requests.js';

/** Sends each request when it is due, even if earlier ones have not been answered yet: slow responses do not delay later requests. */
export const run: Run = async ({ values }) => {
  const own = platformValues<ManyFirmsValues>(values);
  const requests = requestsOf(own, 'mixed');
  const times: Record<RequestKind, number[]> = { list: [], export: [], write: [] };
  let failed = 0;
  const send = async (kind: RequestKind): Promise<void> => {
    const took = await requests[kind]()().catch(() => undefined);
    if (took === undefined) failed += 1;
    else times[kind].push(took);
  };
  const outcome = await measuredWork(own, async () => {
    const sent: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let dueMs = 0; dueMs < own.durationMs; dueMs += 1_000 / own.perSecond) {
      const leftMs = startedAt + dueMs - performance.now();
      if (leftMs > 0) await sleep(leftMs);
      sent.push(send(requests.draw()));
    }
    await Promise.all(sent);
    return sent.length;
  });
  const latencies = Object.entries(times).flatMap(([kind, all]) => [
    [`${kind}P50Ms`, percentile(all, 0.5)],
    [`${kind}P99Ms`, percentile(all, 0.99)],
  ]);
  return { values: { ...outcome.values, ...Object.fromEntries(latencies), p99Ms: percentile(times.list, 0.99), failed } };
};
