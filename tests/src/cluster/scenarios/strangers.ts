import type { Platform } from '../platform/platform.js';
import { podOf } from '../platform/pods.js';
import { insist, type Scenario } from './scenario.js';

/** The response of the tasks service to a caller. */
interface Answer {
  readonly code: number;
  readonly details: string;
}

/** gRPC status codes. */
const PERMISSION_DENIED = 7;
const UNAVAILABLE = 14;

export const strangersRefused: Scenario = {
  name: 'a pod without a certificate is refused, and one with the wrong one',
  brief: true,
  async run(platform) {
    const known = await ask(platform, 'stechuhr-toolbox-tls');
    insist(
      known.code !== UNAVAILABLE && known.code !== PERMISSION_DENIED,
      `the command line's own certificate was refused: ${known.details}`,
    );
    const nobody = await ask(platform, undefined);
    insist(nobody.code === UNAVAILABLE, `a pod without a certificate was answered with ${nobody.code}: ${nobody.details}`);
    const plain = await ask(platform, 'none');
    insist(plain.code === UNAVAILABLE, `a pod that speaks in the clear was answered with ${plain.code}: ${plain.details}`);
    const other = await ask(platform, 'stechuhr-reviews-tls');
    insist(other.code === PERMISSION_DENIED, `reviews, which must not call tasks, was answered with ${other.code}: ${other.details}`);
    return { note: 'no certificate, no TLS, the certificate of reviews' };
  },
};

/** Calls the tasks service from a pod that network policies treat like the toolbox, with the certificate of a secret or without one. */
async function ask(platform: Platform, secret: string | undefined): Promise<Answer> {
  const { kube, images } = platform;
  const name = 'stranger';
  const mounted = secret !== undefined && secret !== 'none';
  const authority = (await kube.get('secret', 'stechuhr-toolbox-tls'))['data']['ca.crt'] as string;
  const credentials = mounted
    ? "credentials.createSsl(...['ca.crt', 'tls.key', 'tls.crt'].map((file) => readFileSync('/etc/stechuhr/tls/' + file)))"
    : secret === 'none'
      ? 'credentials.createInsecure()'
      : `credentials.createSsl(Buffer.from('${authority}', 'base64'))`;
  const script = `
    import { readFileSync } from 'node:fs';
    import { credentials } from '@grpc/grpc-js';
    import { tasksV1 } from '@stechuhr/contracts';
    const client = new tasksV1.TasksServiceClient('stechuhr-tasks:50051', ${credentials});
    client.getTask(tasksV1.GetTaskRequest.fromPartial({}), { deadline: Date.now() + 10_000 }, (error) => {
      console.log(JSON.stringify({ code: error?.code ?? 0, details: error?.details ?? '' }));
      client.close();
    });`;
  const { spec } = await kube.get('pod', await podOf(platform, 'toolbox'));
  await kube.run(['delete', 'pod', name, '--ignore-not-found', '--wait']);
  await kube.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'app.kubernetes.io/instance': 'stechuhr', 'app.kubernetes.io/component': 'toolbox' } },
    spec: {
      ...{ restartPolicy: 'Never', automountServiceAccountToken: false, enableServiceLinks: false, securityContext: spec.securityContext },
      containers: [
        {
          ...{ name, image: images['cli'], imagePullPolicy: 'IfNotPresent', args: ['--input-type=module', '--eval', script] },
          securityContext: spec.containers[0].securityContext,
          resources: { requests: { cpu: '10m', memory: '64Mi' } },
          volumeMounts: mounted ? [{ name: 'tls', mountPath: '/etc/stechuhr/tls', readOnly: true }] : [],
        },
      ],
      volumes: mounted ? [{ name: 'tls', secret: { secretName: secret, defaultMode: 0o440 } }] : [],
    },
  });
  await kube.run(['wait', '--for=jsonpath={.status.phase}=Succeeded', `pod/${name}`, '--timeout', '60s']);
  const said = await kube.run(['logs', name]);
  await kube.run(['delete', 'pod', name, '--wait']);
  return JSON.parse(said) as Answer;
}
