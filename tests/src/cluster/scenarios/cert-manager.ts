import { underLoad } from '../load/traffic.js';
import { withCertManager } from '../platform/cert-manager.js';
import { servedCertificates, certificatesReplaced } from '../platform/certificates.js';
import { identities, services } from '../platform/pods.js';
import type { Platform } from '../platform/platform.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

const ISSUER = 'of-the-chart';

/** An issuer with the existing CA, which all pods already trust. */
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
          await replacingCertificates(platform, () => release.upgrade(platform.values({ mtls: { issuer: { name: ISSUER } } })));
          const before = await identities(platform);
          await replacingCertificates(platform, () => triggerRenewal(platform));
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

/** Runs an action and waits until every service presents a different certificate. */
async function replacingCertificates(platform: Platform, action: () => Promise<void>): Promise<void> {
  const before = await servedCertificates(platform);
  await action();
  await certificatesReplaced(platform, before);
}

/** Triggers a renewal like `cmctl renew`, by setting the condition that cert-manager checks. */
async function triggerRenewal({ kube }: Platform): Promise<void> {
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
