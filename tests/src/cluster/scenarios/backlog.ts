import { waitFor } from '@stechuhr/testing';
import { askForTask, finishedTask } from '../../support/tasks.js';
import { query } from '../../support/http.js';
import { streamsOf } from '../platform/bus.js';
import type { Platform } from '../platform/platform.js';
import { labelOf, settled } from '../platform/pods.js';
import { Broken, insist, type Scenario } from './scenario.js';

const JOBS = 12;
/** Number of queued jobs of one institution (`JOBS_PER_INSTITUTION`); further ones wait in the tasks service. */
const ADMITTED = 2;

/** Workers are not scaled automatically here. KEDA, which reads the same number, has a separate scenario. */
export const backlogIsSeen: Scenario = {
  name: 'the number that workers are scaled by follows the backlog',
  async run(platform) {
    const { kube } = platform;
    insist((await jobBacklog(platform)) === 0, 'jobs wait before any was started');
    const scale = (replicas: number): Promise<string> => kube.run(['scale', 'deployment/stechuhr-worker', '--replicas', String(replicas)]);
    await scale(0);
    // A terminating pod still takes jobs until it receives the signal.
    await waitFor(async () => (await kube.list('pods', labelOf('worker'))).length === 0, { timeoutMs: 90_000 });
    // Unique parameters, so that no request returns a task of an earlier run.
    const run = Date.now().toString(36);
    const exports = Array.from({ length: JOBS }, (_, n) => {
      const parameters = { daterange: '2026-01-01|2026-01-31', prefix: Buffer.from(`${run}-${n}`).toString('base64'), is_async: 'true' };
      return `${platform.gateway}/api/v2/exports/generic/?${query(parameters)}`;
    });
    for (const address of exports) await askForTask(address, platform.token);
    await waitFor(async () => (await jobBacklog(platform)) === ADMITTED, { timeoutMs: 30_000 });
    await scale(2);
    await settled(platform);
    for (const address of exports) await finishedTask(address, platform.token, 120_000);
    await waitFor(async () => (await jobBacklog(platform)) === 0, { timeoutMs: 30_000 });
    return { requests: JOBS, failed: 0, note: `0 → ${ADMITTED} → 0 jobs in the queue` };
  },
};

/**
 * Returns the number that KEDA computes from the monitoring port of NATS: jobs that are not assigned to a worker yet, and those in
 * progress.
 */
export async function jobBacklog({ kube }: Platform): Promise<number> {
  for (const { metadata } of await kube.list('pods', labelOf('nats'))) {
    const jobs = (await streamsOf(kube, metadata.name)).find(({ name }) => name === 'STECHUHR_JOBS');
    const worker = jobs?.consumer_detail?.find(({ name }) => name === 'worker-export');
    const leader = worker?.cluster?.leader ?? metadata.name;
    if (worker !== undefined && leader === metadata.name) return worker.num_pending + worker.num_ack_pending;
  }
  throw new Broken('no server of the bus leads the consumer worker-export');
}
