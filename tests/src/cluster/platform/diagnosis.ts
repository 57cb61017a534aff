import type { KubernetesObject } from './kubernetes.js';
import type { Platform } from './platform.js';

const EVENTS = 25;
const LOG_LINES = '15';

/** Returns information for diagnosing a failure: pods, recent events, and the last log lines of unhealthy pods. */
export async function diagnose({ kube }: Pick<Platform, 'kube'>): Promise<string> {
  const shown = async (...args: readonly string[]): Promise<string> => {
    const said = await kube.run(args, 30_000).catch((error: Error) => error.message);
    return `$ kubectl --namespace ${kube.namespace} ${args.join(' ')}\n${said.trim()}`;
  };
  const pods = await kube.list('pods').catch((): readonly KubernetesObject[] => []);
  const nodes = await shown(
    'get',
    'nodes',
    '--output',
    'jsonpath={range .items[*].status.conditions[*]}{.type}={.status} {.message}{"\\n"}{end}',
  );
  const ill = pods.filter(isUnhealthy).map(({ metadata }) => metadata.name);
  const events = await shown('get', 'events', '--sort-by', '.lastTimestamp', '--field-selector', 'type!=Normal');
  return [
    await shown('get', 'pods', '--output', 'wide'),
    nodes,
    events.split('\n').slice(-EVENTS).join('\n'),
    ...(await Promise.all(ill.slice(0, 3).map((name) => shown('logs', name, '--all-containers', '--tail', LOG_LINES)))),
  ].join('\n\n');
}

function isUnhealthy(pod: KubernetesObject): boolean {
  if (pod['status']?.phase === 'Succeeded') return false;
  const states = (pod['status']?.containerStatuses ?? []) as { ready: boolean; restartCount: number }[];
  return states.length === 0 || states.some(({ ready, restartCount }) => !ready || restartCount > 0);
}
