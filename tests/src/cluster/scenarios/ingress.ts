import { loopbackCertificate, waitFor } from '@stechuhr/testing';
import { call, query } from '../../support/http.js';
import { byName } from '../load/by-name.js';
import { underLoad } from '../load/traffic.js';
import { lastMonth } from '../platform/last-month.js';
import type { Platform } from '../platform/platform.js';
import { settled } from '../platform/pods.js';
import { withTraefik, type IngressController } from '../platform/traefik.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

const HOST = 'api.stechuhr.test';
const SECRET = 'certificate-of-ingress';
/** How long the controller may take to update its routes, which usually takes seconds. */
const ROUTED_MS = 60_000;

export const behindIngress: Scenario = {
  name: 'an ingress controller in front: exports, refusals, and the gateway replaced under load',
  async run(platform) {
    const { kube, release } = platform;
    const { key, cert } = loopbackCertificate(HOST);
    const controller = await withTraefik(platform);
    try {
      const data = { 'tls.key': key, 'tls.crt': cert };
      await kube.apply({ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: { name: SECRET }, stringData: data });
      await release.upgrade(platform.values(settingsFor(controller)));
      const client = byName({ host: HOST, port: controller.port, ca: cert });
      await waitFor(async () => (await client.ask('/api/v2/', { token: platform.token })).status === 200, { timeoutMs: ROUTED_MS });
      await expectSameResponses(platform, client);
      const outcome = undisturbed(
        await underLoad(
          platform,
          async () => {
            await kube.run(['rollout', 'restart', 'deployment/stechuhr-gateway']);
            await settled(platform);
          },
          client,
        ),
      );
      await expectUnavailable(platform, client);
      return outcome;
    } finally {
      await release.upgrade(platform.values());
      await kube.run(['delete', 'secret', SECRET, '--ignore-not-found']);
      await controller.remove();
    }
  },
};

type Client = ReturnType<typeof byName>;

function settingsFor({ namespace, className, port }: IngressController) {
  return {
    publicUrl: `https://${HOST}:${port}`,
    ingress: { enabled: true, className, host: HOST, tlsSecret: SECRET },
    networkPolicy: { ingressController: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }] },
    services: { gateway: { env: { TRUST_PROXY: '1' } } },
  };
}

/**
 * Expects that responses of the gateway are passed through unchanged, including errors, and that requests for other hosts do not reach it.
 */
async function expectSameResponses({ gateway, token }: Platform, client: Client): Promise<void> {
  const path = `/api/v2/exports/generic/?${query({ daterange: lastMonth().daterange, response_only: 'true' })}`;
  const [direct, through] = await Promise.all([call(gateway + path, { token }), client.ask(path, { token })]);
  insist(through.status === 200 && through.text === direct.text, `the export was answered with ${through.status}: ${through.text}`);
  const rules = '/api/v2/timestamps/absence-rules/';
  const large = await client.ask(rules, { token, method: 'POST', body: JSON.stringify({ name: 'x'.repeat(1_200_000) }) });
  insist(large.status === 413 && large.text.includes('Request entity too large.'), `a large body: ${large.status} ${large.text}`);
  const nobody = await client.ask(rules);
  insist(nobody.status === 401 && nobody.text.includes('detail'), `without a token: ${nobody.status} ${nobody.text}`);
  for (const [what, answer] of [
    ['another path', await client.ask('/readyz', { token })],
    ['another host', await client.ask('/api/v2/', { token, hostHeader: 'other.stechuhr.test' })],
  ] as const) {
    insist(answer.status === 404 && !answer.text.includes('detail'), `${what} was answered with ${answer.status}: ${answer.text}`);
  }
}

/** Expects status 503 without gateway pods: clients retry after a 503, but not after a 404. */
async function expectUnavailable({ kube, token }: Platform, client: Client): Promise<void> {
  const scale = (replicas: number): Promise<string> => kube.run(['scale', 'deployment/stechuhr-gateway', '--replicas', String(replicas)]);
  const status = async (): Promise<number> => (await client.ask('/api/v2/', { token })).status;
  await scale(0);
  await waitFor(async () => (await status()) === 503, { timeoutMs: ROUTED_MS });
  await scale(2);
  await waitFor(async () => (await status()) === 200, { timeoutMs: ROUTED_MS });
}
