import { waitFor } from '@stechuhr/testing';
import { call, query } from '../../support/http.js';
import { askForTask, download, finishedTask } from '../../support/tasks.js';
import { longExport } from '../load/long-export.js';
import { withKeda } from '../platform/keda.js';
import type { Platform } from '../platform/platform.js';
import { jobBacklog } from './backlog.js';
import { insist, type Scenario } from './scenario.js';

const FEWEST = 1;
const MOST = 3;

/** Queued jobs of the only institution. With the chart's two jobs per pod, this needs more pods than the maximum. */
const IN_QUEUE = 8;
const settings = {
  worker: { keda: { enabled: true, minReplicas: FEWEST, maxReplicas: MOST } },
  tasks: { env: { JOBS_PER_INSTITUTION: IN_QUEUE } },
};

/** KEDA reads the backlog every 15 s, and a pod takes a while to start while all others work. */
const SCALES_MS = 240_000;
const DONE_MS = 240_000;

export const scaledByBacklog: Scenario = {
  name: 'the worker gets pods by the backlog, and loses them afterwards',
  async run(platform) {
    const { kube, release } = platform;
    const takeBack = await withKeda(platform);
    try {
      await release.upgrade(platform.values({ services: settings }));
      await waitFor(async () => (await isActing(platform)) && (await workers(platform)) === FEWEST, { timeoutMs: SCALES_MS });
      const wanted = longExport();
      const orders = await orderedUntilMost(platform, wanted);
      // Scale down without the usual five minutes of stabilization, even while the last exports run.
      const soon = { advanced: { horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } } } };
      await kube.run(['patch', 'scaledobject', 'stechuhr-worker', '--type', 'merge', '--patch', JSON.stringify({ spec: soon })]);
      await expectCompleteFiles(platform, wanted, orders);
      await waitFor(async () => (await workers(platform)) === FEWEST, { timeoutMs: SCALES_MS });
      return { requests: orders.length, failed: 0, note: `${FEWEST} → ${MOST} → ${FEWEST} pods by KEDA` };
    } finally {
      await release.upgrade(platform.values());
      await takeBack();
      insist((await kube.list('hpa')).length === 0, 'a scaler was left behind');
    }
  },
};

/** Returns whether KEDA has created an autoscaler and can read the backlog, for which a policy must admit its namespace to NATS. */
async function isActing({ kube }: Platform): Promise<boolean> {
  const { status } = await kube.get('hpa', 'keda-hpa-stechuhr-worker');
  const conditions = (status.conditions ?? []) as { type: string; status: string }[];
  return conditions.some((one) => one.type === 'ScalingActive' && one.status === 'True');
}

/** Returns the number of ready worker pods once it equals the desired number; otherwise undefined. */
async function workers({ kube }: Platform): Promise<number | undefined> {
  const { spec, status } = await kube.get('deployment', 'stechuhr-worker');
  const [wanted, ready] = [spec.replicas as number, status.readyReplicas as number | undefined];
  return wanted === status.replicas && wanted === ready ? wanted : undefined;
}

type Wanted = ReturnType<typeof longExport>;

interface OrderedExport {
  readonly address: string;
  /** The beginning of the file, which also makes the request unique. */
  readonly prefix: string;
}

const path = '/api/v2/exports/multi/?';

/** Starts background exports until the worker has its maximum number of pods. The queue is kept full, however fast they are. */
async function orderedUntilMost(platform: Platform, wanted: Wanted): Promise<readonly OrderedExport[]> {
  const { gateway, token } = platform;
  const run = Date.now().toString(36);
  const orders: OrderedExport[] = [];
  const end = performance.now() + SCALES_MS;
  while ((await workers(platform)) !== MOST) {
    const queued = await jobBacklog(platform);
    insist(performance.now() < end, `${queued} jobs wait or are under way, and the worker does not have ${MOST} pods`);
    // Exports beyond the capacity of the queue wait in the tasks service.
    for (let more = queued < IN_QUEUE ? IN_QUEUE : 0; more > 0; more--) {
      const prefix = `${run} ${orders.length}\n`;
      const parameters = { ...wanted, prefix: Buffer.from(prefix).toString('base64'), is_async: 'true' };
      const address = `${gateway}${path}${query(parameters)}`;
      await askForTask(address, token);
      orders.push({ address, prefix });
    }
  }
  return orders;
}

/** Expects that each file is identical to the response of the synchronous export. */
async function expectCompleteFiles({ gateway, token }: Platform, wanted: Wanted, orders: readonly OrderedExport[]): Promise<void> {
  const direct = await call(`${gateway}${path}${query({ ...wanted, response_only: 'true' })}`, { token });
  insist(direct.status === 200, `the export was answered with ${direct.status}: ${direct.text}`);
  for (const { address, prefix } of orders) {
    const { target } = await finishedTask(address, token, DONE_MS);
    const { status, body } = await download(target);
    insist(
      status === 200 && body.equals(Buffer.from(prefix + direct.text)),
      `the file at ${target} differs: ${status}, ${body.length} bytes`,
    );
  }
}
