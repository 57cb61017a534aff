import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { labelOf, podsOf, services, settled } from '../platform/pods.js';
import type { Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

/** One after the other, as nodes and people take them: none of those that were there is left. */
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
        // The last answers of those that go are part of it.
        await waitFor(async () => (await kube.list('pods', labelOf('gateway'))).length === 1, { timeoutMs: 90_000 });
      }),
    );
    await scale(2);
    return outcome;
  },
};
