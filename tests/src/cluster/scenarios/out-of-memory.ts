import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { insideProcess } from '../platform/inside.js';
import { podOf, restartsOf, settled } from '../platform/pods.js';
import { insist, type Scenario } from './scenario.js';

/** Allocates more memory than the chart's limit of any container, outside of the heap, to which Node's own limit does not apply. */
const HOG = 'globalThis.hog = []; for (let i = 0; i < 40; i += 1) hog.push(Buffer.alloc(32 << 20, 1)); hog.length';

/** Failures of requests that the killed process was handling. Only these are allowed. */
const INTERRUPTED = /^(502|503|ECONNRESET)/;

export const outOfMemory: Scenario = {
  name: 'a service out of memory is restarted, the others serve',
  async run(platform) {
    const pod = await podOf(platform, 'reviews');
    const before = await restartsOf(platform, 'reviews');
    const traffic = await underLoad(platform, async () => {
      // The connection breaks when the process is killed.
      await insideProcess(platform, pod, HOG).catch(() => undefined);
      await waitFor(async () => (await restartsOf(platform, 'reviews')) > before, { timeoutMs: 60_000 });
      await settled(platform);
    });
    const { reason } = traffic.restarts.find((restart) => restart.pod === pod) ?? {};
    insist(reason === 'OOMKilled', `the container ended with ${reason}: the cluster may not enforce memory limits`);
    const alsoEnded = traffic.restarts.filter((restart) => restart.pod !== pod);
    insist(alsoEnded.length === 0, `other containers ended as well: ${JSON.stringify(alsoEnded)}`);
    const others = traffic.failures.filter(({ path, failure = '' }) => !path.includes('/reviews/') || !INTERRUPTED.test(failure));
    insist(others.length === 0, `unrelated requests failed: ${JSON.stringify(others.slice(0, 5))}`);
    return {
      requests: traffic.requests,
      failed: others.length,
      worstMs: traffic.worstMs,
      note: `${traffic.failures.length} requests of reviews cut off`,
    };
  },
};
