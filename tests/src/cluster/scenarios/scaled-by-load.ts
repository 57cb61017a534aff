import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { withMetricsServer } from '../platform/metrics-server.js';
import { settled } from '../platform/pods.js';
import type { Platform } from '../platform/platform.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

const FEWEST = 2;
const MOST = 3;

/** A CPU target far below the usage at thirty requests per second and far above that of an idle gateway. */
const autoscaling = { enabled: true, minReplicas: FEWEST, maxReplicas: MOST, cpuPercent: 60 };
const gateway = { autoscaling, resources: { requests: { cpu: '50m', memory: '96Mi' } } };

/** Metrics are collected every 15 s and evaluated every 15 s; a new pod counts only after a while. */
const SCALES_MS = 240_000;

export const scaledByLoad: Scenario = {
  name: 'the gateway gets a pod more under load, and loses it afterwards',
  async run(platform) {
    const { kube, release } = platform;
    const takeBack = await withMetricsServer(platform);
    try {
      await release.upgrade(platform.values({ services: { gateway } }));
      await waitFor(async () => (await scaler(platform)).isMeasured, { timeoutMs: SCALES_MS });
      const outcome = undisturbed(
        await underLoad(platform, async () => {
          await waitFor(async () => (await scaler(platform)).replicas === MOST, { timeoutMs: SCALES_MS });
          await settled(platform);
        }),
      );
      // Scale down without the usual five minutes of stabilization.
      const soon = { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } } };
      await kube.run(['patch', 'hpa', 'stechuhr-gateway', '--patch', JSON.stringify(soon)]);
      await waitFor(async () => (await scaler(platform)).replicas === FEWEST, { timeoutMs: SCALES_MS });
      return { ...outcome, note: `${FEWEST} → ${MOST} → ${FEWEST} pods` };
    } finally {
      await release.upgrade(platform.values());
      await takeBack();
      insist((await kube.list('hpa')).length === 0, 'a scaler was left behind');
    }
  },
};

async function scaler({ kube }: Platform): Promise<{ readonly replicas: number; readonly isMeasured: boolean }> {
  const { status } = await kube.get('hpa', 'stechuhr-gateway');
  const conditions = (status.conditions ?? []) as { type: string; status: string }[];
  return {
    replicas: status.currentReplicas as number,
    isMeasured: conditions.some((one) => one.type === 'ScalingActive' && one.status === 'True'),
  };
}
