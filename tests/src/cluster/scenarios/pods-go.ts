import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { labelOf, podsOf, services, settled } from '../platform/pods.js';
import type { Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

/** One pod of each service at a time, then the other one: none of those that were there is left. */
export const everyPodDeleted: Scenario = {
  name: 'every pod of every service deleted, under load',
  async run(platform) {
    const pods = await podsOf(platform, ...services);
    const nth = (n: number): readonly string[] =>
      services.flatMap((service) => {
        const own = pods.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === service);
        return own.slice(n, n + 1).map(({ metadata }) => metadata.name);
      });
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        for (const names of [nth(0), nth(1)]) {
          await platform.kube.run(['delete', 'pod', ...names, '--wait']);
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
