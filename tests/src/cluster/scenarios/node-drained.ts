import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { labelOf, podsOf, services, settled } from '../platform/pods.js';
import { Broken, insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

/** How long a drain waits for budgets before it gives up. */
const PATIENCE = '40s';

export const nodeDrained: Scenario = {
  name: 'node drained, under load: disruption budgets hold',
  async run(platform) {
    const { kube } = platform;
    const nodes = await kube.list('nodes');
    const [node] = nodes;
    insist(node !== undefined, 'the cluster has no node');
    const { name } = node.metadata;
    const drain = [
      'drain',
      name,
      '--pod-selector',
      labelOf(...services),
      '--delete-emptydir-data',
      '--ignore-daemonsets',
      '--timeout',
      PATIENCE,
    ];
    try {
      return undisturbed(
        await underLoad(platform, async () => {
          const answer = await kube.run(drain).catch((error: Error) => error.message);
          // With a single cordoned node no pod can be replaced, so the disruption budget has to keep the second pod of each service.
          if (nodes.length === 1) insist(answer.includes('unable to drain node'), `no budget held a pod: ${answer}`);
          await expectAllServing();
          // With several nodes the drained pods already run elsewhere. With one node they would all start at once on the node that serves.
          if (nodes.length > 1) await settled(platform);
        }),
      );
    } finally {
      await kube.run(['uncordon', name]);
      await settled(platform);
    }

    async function expectAllServing(): Promise<void> {
      const ready = await waitFor(() => podsOf(platform, ...services));
      for (const service of services) {
        const own = ready.filter((pod) => pod.metadata.labels?.['app.kubernetes.io/component'] === service);
        // A pod that is not scheduled yet has no statuses.
        const statuses = own.map((pod) => (pod['status'].containerStatuses ?? []) as { ready: boolean }[]);
        const isReady = statuses.some((containers) => containers.length > 0 && containers.every((each) => each.ready));
        if (!isReady) throw new Broken(`${service} has no ready pod while the node is drained`);
      }
    }
  },
};
