import { underLoad } from '../load/traffic.js';
import { withCertManager } from '../platform/cert-manager.js';
import { certificatesShown, othersShown } from '../platform/certificates.js';
import { identities, services } from '../platform/pods.js';
import type { Platform } from '../platform/platform.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

const ISSUER = 'of-the-chart';

/** With the authority that has signed the certificates so far: everybody trusts it already. */
const issuer = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Issuer',
  metadata: { name: ISSUER },
  spec: { ca: { secretName: 'stechuhr-authority-tls' } },
};

export const byCertManager: Scenario = {
  name: 'certificates by cert-manager instead of the chart, and renewed, under load',
  async run(platform) {
    const { kube, release } = platform;
    const takeBack = await withCertManager(platform);
    try {
      await kube.apply(issuer);
      return undisturbed(
        await underLoad(platform, async () => {
          await withOthersAfter(platform, () => release.upgrade(platform.values({ mtls: { issuer: { name: ISSUER } } })));
          const before = await identities(platform);
          await withOthersAfter(platform, () => renewed(platform));
          insist((await identities(platform)) === before, 'pods were replaced or restarted for a renewal');
        }),
      );
    } finally {
      await release.upgrade(platform.values());
      await kube.run(['delete', 'secret', ...[...services, 'toolbox'].map((name) => `stechuhr-${name}-issued-tls`), '--ignore-not-found']);
      await takeBack();
    }
  },
};

/** Does something and waits until every service shows another certificate than before. */
async function withOthersAfter(platform: Platform, action: () => Promise<void>): Promise<void> {
  const before = await certificatesShown(platform);
  await action();
  await othersShown(platform, before);
}

/** As `cmctl renew` has it: cert-manager looks at nothing but this condition. */
async function renewed({ kube }: Platform): Promise<void> {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
  const issuing = { type: 'Issuing', status: 'True', reason: 'ManuallyTriggered', message: 'renewed by hand', lastTransitionTime };
  for (const { metadata, status } of await kube.list('certificates.cert-manager.io')) {
    const conditions = [...(status as { conditions: object[] }).conditions, issuing];
    await kube.run([
      ...['patch', 'certificates.cert-manager.io', metadata.name, '--subresource', 'status'],
      ...['--type', 'merge', '--patch', JSON.stringify({ status: { conditions } })],
    ]);
  }
}
