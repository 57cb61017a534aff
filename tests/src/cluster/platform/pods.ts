import { topology } from '@stechuhr/local';
import { waitFor } from '@stechuhr/testing';
import type { KubernetesObject } from './kubernetes.js';
import type { Platform } from './platform.js';
import { RELEASE } from './release.js';

export const services: readonly string[] = topology.map(({ name }) => name);

/** Longer than the termination grace period of pods in the chart. */
const LEAVES_MS = 120_000;

/** Returns the label selector for the pods of services. */
export function labelOf(...names: readonly string[]): string {
  return `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component in (${names.join(',')})`;
}

/** Returns the pods of services that are not terminating. */
export async function podsOf({ kube }: Platform, ...names: readonly string[]): Promise<readonly KubernetesObject[]> {
  const pods = await kube.list('pods', labelOf(...names));
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Returns the name of any pod of a service. */
export async function podOf(platform: Platform, name: string): Promise<string> {
  const [pod] = await podsOf(platform, name);
  if (pod === undefined) throw new Error(`${name} has no pod`);
  return pod.metadata.name;
}

/** Waits until every service has all of its pods and they are ready. */
export async function settled({ kube }: Platform): Promise<void> {
  await kube.run(['rollout', 'status', 'deployment', '--selector', labelOf(...services, 'toolbox'), '--timeout', '5m'], 310_000);
}

/** Waits until no pod is terminating. */
export async function allGone({ kube }: Platform): Promise<void> {
  const leaving = async (): Promise<boolean> =>
    (await kube.list('pods', labelOf(...services))).some(({ metadata }) => metadata.deletionTimestamp !== undefined);
  await waitFor(async () => !(await leaving()), { timeoutMs: LEAVES_MS });
}

/** Returns how often the containers of a service were restarted. */
export async function restartsOf(platform: Platform, name: string): Promise<number> {
  const statuses = (await podsOf(platform, name)).flatMap((pod) => (pod['status'].containerStatuses ?? []) as { restartCount: number }[]);
  return statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
}

/** Returns a text that identifies the running pods and their restart counts, for comparing two points in time. */
export async function identities(platform: Platform): Promise<string> {
  const pods = await podsOf(platform, ...services);
  return pods
    .map(({ metadata, ...pod }) => `${metadata.uid}/${pod['status'].containerStatuses[0].restartCount}`)
    .sort()
    .join();
}
