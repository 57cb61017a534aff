import { topology } from '@stechuhr/local';
import { underLoad } from '../load/traffic.js';
import { servedCertificates, certificatesReplaced } from '../platform/certificates.js';
import { identities, podsOf, settled } from '../platform/pods.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

export const certificatesRotated: Scenario = {
  name: 'certificates renewed without a restart, under load',
  async run(platform) {
    const { release } = platform;
    const before = await identities(platform);
    const shownBefore = await servedCertificates(platform);
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        await release.upgrade(platform.values({ mtls: { renewal: 'once' } }));
        await certificatesReplaced(platform, shownBefore);
      }),
    );
    insist((await identities(platform)) === before, 'pods were replaced or restarted');
    return outcome;
  },
};

/** Services that read the secret of Redis. */
const readers = topology.filter(({ needs }) => needs.includes('redis')).map(({ name }) => name);

export const secretsRotated: Scenario = {
  name: 'a secret changed, and taken by a rolling restart, under load',
  async run(platform) {
    const { kube, release } = platform;
    const given = Buffer.from((await kube.get('secret', 'stechuhr-redis'))['data'].url as string, 'base64').toString();
    const secret = (url: string): object => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'redis-of-ours' },
      stringData: { url },
    });
    await kube.apply(secret(`${given}/1`));
    await release.upgrade(platform.values({ redis: { existingSecret: 'redis-of-ours' } }));
    await kube.apply(secret(`${given}/2`));
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        await kube.run(['rollout', 'restart', ...readers.map((name) => `deployment/stechuhr-${name}`)]);
        await settled(platform);
      }),
    );
    for (const { metadata } of await podsOf(platform, ...readers)) {
      const url = await kube.node(metadata.name, 'console.log(process.env.REDIS_URL)');
      insist(url.trim() === `${given}/2`, `${metadata.name} runs with the old secret`);
    }
    await release.upgrade(platform.values());
    return outcome;
  },
};
