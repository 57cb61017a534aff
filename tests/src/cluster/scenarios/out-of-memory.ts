import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { insideProcess } from '../platform/inside.js';
import { podOf, settled } from '../platform/pods.js';
import { insist, type Scenario } from './scenario.js';

/** More than the chart's limit of any container, outside the heap, where Node's own bound does not hold. */
const HOG = 'globalThis.hog = []; for (let i = 0; i < 40; i += 1) hog.push(Buffer.alloc(32 << 20, 1)); hog.length';

/** What is left of a request that the killed process had begun is cut off: those may fail, and nothing else may. */
const CUT_OFF = /^(502|503|ECONNRESET)/;

export const outOfMemory: Scenario = {
  name: 'a service out of memory is restarted, the others serve',
  async run(platform) {
    const pod = await podOf(platform, 'reviews');
    let reason: string | undefined;
    const traffic = await underLoad(platform, async () => {
      // The connection dies with the process.
      await insideProcess(platform, pod, HOG).catch(() => undefined);
      reason = await waitFor(async () => lastEnd(), { timeoutMs: 60_000 });
      await settled(platform);
    });
    insist(reason === 'OOMKilled', `the container ended with ${reason}: limits of memory may not be enforced here`);
    const others = traffic.failures.filter(({ path, failure = '' }) => !path.includes('/reviews/') || !CUT_OFF.test(failure));
    insist(others.length === 0, `requests failed that have nothing to do with it: ${JSON.stringify(others.slice(0, 5))}`);
    return {
      requests: traffic.requests,
      failed: others.length,
      worstMs: traffic.worstMs,
      note: `${traffic.failures.length} requests of reviews cut off`,
    };

    async function lastEnd(): Promise<string | undefined> {
      const { status } = await platform.kube.get('pod', pod);
      return status.containerStatuses[0].lastState.terminated?.reason as string | undefined;
    }
  },
};
