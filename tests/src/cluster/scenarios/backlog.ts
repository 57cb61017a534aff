import { waitFor } from '@stechuhr/testing';
import { askForTask } from '../../support/tasks.js';
import { query } from '../../support/http.js';
import { streamsOf } from '../platform/bus.js';
import type { Platform } from '../platform/platform.js';
import { labelOf, settled } from '../platform/pods.js';
import { Broken, insist, type Scenario } from './scenario.js';

const JOBS = 12;

/** Nothing here scales workers by itself: that would be for KEDA, which reads the same numbers. */
export const backlogIsSeen: Scenario = {
  name: 'the number that workers are scaled by follows the backlog',
  async run(platform) {
    const { kube } = platform;
    insist((await waiting(platform)) === 0, 'jobs wait before any was started');
    const scale = (replicas: number): Promise<string> => kube.run(['scale', 'deployment/stechuhr-worker', '--replicas', String(replicas)]);
    await scale(0);
    await settled(platform);
    for (let n = 1; n <= JOBS; n += 1) {
      const parameters = { daterange: `2026-01-01|2026-01-${String(n).padStart(2, '0')}`, is_async: 'true' };
      await askForTask(`${platform.gateway}/api/v2/exports/generic/?${query(parameters)}`, platform.token);
    }
    const most = await waitFor(async () => (await waiting(platform)) === JOBS && JOBS, { timeoutMs: 30_000 });
    await scale(2);
    await settled(platform);
    await waitFor(async () => (await waiting(platform)) === 0, { timeoutMs: 120_000 });
    return { requests: JOBS, failed: 0, note: `0 → ${most} → 0 jobs` };
  },
};

/** What KEDA computes of the monitoring port of the bus: jobs that no worker was given, and those that are under way. */
async function waiting({ kube }: Platform): Promise<number> {
  for (const { metadata } of await kube.list('pods', labelOf('nats'))) {
    const jobs = (await streamsOf(kube, metadata.name)).find(({ name }) => name === 'STECHUHR_JOBS');
    const worker = jobs?.consumer_detail?.find(({ name }) => name === 'worker-export');
    const leader = worker?.cluster?.leader ?? metadata.name;
    if (worker !== undefined && leader === metadata.name) return worker.num_pending + worker.num_ack_pending;
  }
  throw new Broken('no server of the bus leads the consumer worker-export');
}
