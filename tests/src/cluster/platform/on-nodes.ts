import type { Platform } from './platform.js';

const NAME = 'stechuhr-check-node';

/**
 * Kills the process of a container with SIGKILL, as the kernel or a failing node would. This is not possible from inside the container,
 * where process 1 is immune, so a temporary pod that sees all processes of the node does it, in a separate namespace.
 */
export async function killed({ kube, images }: Platform, pod: string): Promise<void> {
  const { metadata, spec } = await kube.get('pod', pod);
  const script = `
    const { readdirSync, readFileSync } = require('node:fs');
    const uid = '${metadata.uid}';
    const read = (file) => { try { return readFileSync(file, 'utf8'); } catch { return ''; } };
    const isOurs = (id) => [uid, uid.replaceAll('-', '_')].some((each) => read('/proc/' + id + '/cgroup').includes(each));
    const found = readdirSync('/proc').filter((id) => /^[0-9]+$/.test(id) && isOurs(id) && read('/proc/' + id + '/cmdline').includes('main.js'));
    for (const id of found) process.kill(Number(id), 'SIGKILL');
    process.exitCode = found.length > 0 ? 0 : 1;`;
  const inside = kube.in(NAME);
  const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };
  await inside.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAME, labels } });
  await inside.ready();
  await inside.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: NAME },
    spec: {
      ...{ nodeName: spec.nodeName, hostPID: true, restartPolicy: 'Never', automountServiceAccountToken: false },
      containers: [
        {
          ...{ name: 'kills', image: images['cli'], imagePullPolicy: 'IfNotPresent', args: ['--eval', script] },
          securityContext: { privileged: true, runAsUser: 0, runAsGroup: 0 },
        },
      ],
    },
  });
  try {
    await inside.run(['wait', '--for=jsonpath={.status.phase}=Succeeded', `pod/${NAME}`, '--timeout', '60s']);
  } finally {
    await kube.run(['delete', 'namespace', NAME, '--wait']);
  }
}
