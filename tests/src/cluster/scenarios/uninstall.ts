import type { Kubernetes } from '../platform/kubernetes.js';
import { RELEASE } from '../platform/release.js';
import { insist, type Scenario } from './scenario.js';

/** Prefixes of the objects that an uninstall leaves behind according to the chart's notes. */
const LEFT = [
  `pod/${RELEASE}-helm-test`,
  `secret/${RELEASE}-authority-tls`,
  `job.batch/${RELEASE}-records-prepare`,
  `persistentvolumeclaim/data-${RELEASE}-`,
];

const LABEL = `app.kubernetes.io/instance=${RELEASE}`;

const KINDS =
  'all,secrets,configmaps,serviceaccounts,persistentvolumeclaims,networkpolicies,poddisruptionbudgets,ingresses,roles,rolebindings';

export const uninstall: Scenario = {
  name: 'uninstall leaves what the notes say, and the command that they give the rest',
  async run({ kube, release }) {
    await release.uninstall();
    // A terminating pod has 40 s for its last responses.
    await kube.run(['wait', '--for=delete', 'pod', '--selector', `${LABEL},app.kubernetes.io/component!=helm-test`, '--timeout', '120s']);
    const left = await objects(kube);
    const unexpected = left.filter((name) => !LEFT.some((start) => name.startsWith(start)));
    insist(unexpected.length === 0, `left over: ${unexpected.join(', ')}`);
    insist(
      left.includes(`secret/${RELEASE}-authority-tls`),
      'the CA was removed, so that the next installation invalidates all certificates',
    );
    await kube.run(['delete', 'pod,job,secret,pvc', '--selector', LABEL, '--wait']);
    const rest = await objects(kube);
    insist(rest.length === 0, `left over for good: ${rest.join(', ')}`);
    return { note: `${left.length} objects stay` };
  },
};

async function objects(kube: Kubernetes): Promise<readonly string[]> {
  const found = await kube.run(['get', KINDS, '--selector', LABEL, '--output', 'name']);
  return found.split('\n').filter((name) => name !== '');
}
