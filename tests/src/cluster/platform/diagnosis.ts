import type { KubernetesObject } from './kubernetes.js';
import type { Platform } from './platform.js';
import { RELEASE } from './release.js';

const EVENTS = 25;
const LOG_LINES = '15';
/** Warnings and errors of the services, which explain a failed request when all pods are well. */
const WARNINGS = 40;
const WARNING_LENGTH = 500;

/**
 * Returns information for diagnosing a failure: pods, recent events, recent warnings and errors of the services, and the last log lines of
 * unhealthy pods.
 */
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
    warningsIn(await shown('logs', '--selector', `app.kubernetes.io/instance=${RELEASE}`, ...EVERY_LOG)),
    ...(await Promise.all(ill.slice(0, 3).map((name) => shown('logs', name, '--all-containers', '--tail', LOG_LINES)))),
  ].join('\n\n');
}

/** The logs of all containers, each line with its pod. The limits are above what a release has. */
const EVERY_LOG = ['--all-containers', '--prefix', '--ignore-errors', '--tail', '200', '--max-log-requests', '100'] as const;

/** Returns the command, and the latest warnings and errors that it printed. */
function warningsIn(shown: string): string {
  const [command = '', ...lines] = shown.split('\n');
  const warnings = lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line));
  const timeOf = (line: string): string => /"time":"([^"]*)"/.exec(line)?.[1] ?? '';
  const latest = warnings.sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1)).slice(-WARNINGS);
  return [command, ...latest.map((line) => line.slice(0, WARNING_LENGTH))].join('\n');
}

function isUnhealthy(pod: KubernetesObject): boolean {
  if (pod['status']?.phase === 'Succeeded') return false;
  const states = (pod['status']?.containerStatuses ?? []) as { ready: boolean; restartCount: number }[];
  return states.length === 0 || states.some(({ ready, restartCount }) => !ready || restartCount > 0);
}
