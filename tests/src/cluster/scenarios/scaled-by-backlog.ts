import { waitFor } from '@stechuhr/testing';
import { call, query } from '../../support/http.js';
import { askForTask, download, finishedTask } from '../../support/tasks.js';
import { longExport } from '../load/long-export.js';
import { withKeda } from '../platform/keda.js';
import type { Platform } from '../platform/platform.js';
import { waiting } from './backlog.js';
import { insist, type Scenario } from './scenario.js';

const FEWEST = 1;
const MOST = 3;

/** Of the only institution: at two jobs for each pod, as the chart has it, more than there may be pods for. */
const IN_QUEUE = 8;
const settings = {
  worker: { keda: { enabled: true, minReplicas: FEWEST, maxReplicas: MOST } },
  tasks: { env: { JOBS_PER_INSTITUTION: IN_QUEUE } },
};

/** The backlog is looked at every 15 s; a pod takes a while to start where all others work. */
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
      // Nobody waits five minutes here to see them go: they may while the last exports run.
      const soon = { advanced: { horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } } } };
      await kube.run(['patch', 'scaledobject', 'stechuhr-worker', '--type', 'merge', '--patch', JSON.stringify({ spec: soon })]);
      await allWhole(platform, wanted, orders);
      await waitFor(async () => (await workers(platform)) === FEWEST, { timeoutMs: SCALES_MS });
      return { requests: orders.length, failed: 0, note: `${FEWEST} → ${MOST} → ${FEWEST} pods by KEDA` };
    } finally {
      await release.upgrade(platform.values());
      await takeBack();
      insist((await kube.list('hpa')).length === 0, 'a scaler was left behind');
    }
  },
};

/** KEDA has made a scaler, and reads the backlog for it: its namespace is let through to the bus. */
async function isActing({ kube }: Platform): Promise<boolean> {
  const { status } = await kube.get('hpa', 'keda-hpa-stechuhr-worker');
  const conditions = (status.conditions ?? []) as { type: string; status: string }[];
  return conditions.some((one) => one.type === 'ScalingActive' && one.status === 'True');
}

/** Pods that take jobs, once as many are there as are wanted. */
async function workers({ kube }: Platform): Promise<number | undefined> {
  const { spec, status } = await kube.get('deployment', 'stechuhr-worker');
  const [wanted, ready] = [spec.replicas as number, status.readyReplicas as number | undefined];
  return wanted === status.replicas && wanted === ready ? wanted : undefined;
}

type Wanted = ReturnType<typeof longExport>;

interface Order {
  readonly address: string;
  /** What its file begins with, and what makes a request of its own of it. */
  readonly prefix: string;
}

const path = '/api/v2/exports/multi/?';

/** Orders exports in the background until the worker has as many pods as it may have: however fast they are, the queue stays full. */
async function orderedUntilMost(platform: Platform, wanted: Wanted): Promise<readonly Order[]> {
  const { gateway, token } = platform;
  const run = Date.now().toString(36);
  const orders: Order[] = [];
  const end = performance.now() + SCALES_MS;
  while ((await workers(platform)) !== MOST) {
    const queued = await waiting(platform);
    insist(performance.now() < end, `${queued} jobs wait or are under way, and the worker does not have ${MOST} pods`);
    // What does not fit into the queue waits for its turn.
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

/** Each file is what its request is answered with at once, to the byte. */
async function allWhole({ gateway, token }: Platform, wanted: Wanted, orders: readonly Order[]): Promise<void> {
  const direct = await call(`${gateway}${path}${query({ ...wanted, response_only: 'true' })}`, { token });
  insist(direct.status === 200, `the export was answered with ${direct.status}: ${direct.text}`);
  for (const { address, prefix } of orders) {
    const { target } = await finishedTask(address, token, DONE_MS);
    const { status, body } = await download(target);
    insist(
      status === 200 && body.equals(Buffer.from(prefix + direct.text)),
      `the file at ${target} is another: ${status}, ${body.length} bytes`,
    );
  }
}
