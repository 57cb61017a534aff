import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { labelOf, podsOf, services, settled } from '../platform/pods.js';
import type { Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

/** Deletes all pods sequentially, as during node maintenance, until every one has been replaced. */
export const everyPodDeleted: Scenario = {
  name: 'every pod of every service deleted, one after the other, under load',
  async run(platform) {
    const pods = await podsOf(platform, ...services);
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        for (const { metadata } of pods) {
          await platform.kube.run(['delete', 'pod', metadata.name, '--wait']);
          await settled(platform);
        }
      }),
    );
    return { ...outcome, note: `${pods.length} pods; ${outcome.note ?? ''}` };
  },
};

export const gatewayScaled: Scenario = {
  name: 'gateway scaled 1 → 3 → 1, under load',
  async run(platform) {
    const { kube } = platform;
    const scale = async (replicas: number): Promise<void> => {
      await kube.run(['scale', 'deployment/stechuhr-gateway', '--replicas', String(replicas)]);
      await settled(platform);
    };
    await scale(1);
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        await scale(3);
        await scale(1);
        // The last responses of terminating pods belong to the scenario.
        await waitFor(async () => (await kube.list('pods', labelOf('gateway'))).length === 1, { timeoutMs: 90_000 });
      }),
    );
    await scale(2);
    return outcome;
  },
};
