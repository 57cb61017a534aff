import { topology } from '@stechuhr/local';
import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { podOf, podsOf, services, settled } from '../platform/pods.js';
import type { Platform } from '../platform/platform.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

const serving = topology.filter(({ serves }) => serves === 'grpc').map(({ name }) => name);

/** The kubelet brings a changed secret into pods within about a minute, and the services look at their files every minute. */
const TAKEN_MS = 240_000;

export const certificatesRotated: Scenario = {
  name: 'certificates renewed without a restart, under load',
  async run(platform) {
    const { release } = platform;
    const before = await identities(platform);
    const shownBefore = await shown(platform);
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        await release.upgrade(platform.values({ mtls: { renewal: 'once' } }));
        await waitFor(async () => (await shown(platform)).every((serial, index) => serial !== shownBefore[index]), { timeoutMs: TAKEN_MS });
      }),
    );
    insist((await identities(platform)) === before, 'pods were replaced or restarted');
    return outcome;
  },
};

/** Those that read the secret of Redis. */
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

async function identities(platform: Platform): Promise<string> {
  const pods = await podsOf(platform, ...services);
  return pods
    .map(({ metadata, ...pod }) => `${metadata.uid}/${pod['status'].containerStatuses[0].restartCount}`)
    .sort()
    .join();
}

/** The serial numbers of the certificates that services show to whoever connects. */
async function shown(platform: Platform): Promise<readonly string[]> {
  const script = `
    import { connect } from 'node:tls';
    const serials = await Promise.all(${JSON.stringify(serving)}.map((name) => new Promise((done, failed) => {
      const socket = connect({ host: 'stechuhr-' + name, port: 50051, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
        done(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      }).once('error', failed);
    })));
    console.log(JSON.stringify(serials));`;
  return JSON.parse(await platform.kube.node(await podOf(platform, 'gateway'), script)) as string[];
}
