import { startPeriodic } from '@stechuhr/kernel';
import { labelOf, services } from './pods.js';
import type { KubernetesObject } from './kubernetes.js';
import type { Platform } from './platform.js';

/** A container of a service that ended and was started again. */
export interface Restart {
  readonly pod: string;
  readonly exitCode: number;
  /** Kubernetes' reason, such as `Error` or `OOMKilled`. */
  readonly reason: string;
  /** What the container logged last. */
  readonly log: string;
}

interface ContainerStatus {
  readonly name: string;
  readonly restartCount: number;
  readonly lastState: { readonly terminated?: { readonly exitCode: number; readonly reason: string } };
}

const INTERVAL_MS = 3_000;
const LOG_LINES = '15';

/**
 * Notes the containers of services that are restarted from now on. Their logs are read at once, since they are gone when the pod is deleted, or when
 * its container is restarted once more.
 */
export function watchRestarts({ kube, log }: Pick<Platform, 'kube' | 'log'>): { stop(): Promise<readonly Restart[]> } {
  const found: Restart[] = [];
  let known: ReadonlyMap<string, number> | undefined;
  const look = async (): Promise<void> => {
    const containers = containersOf(await kube.list('pods', labelOf(...services)));
    const restarted = known === undefined ? [] : containers.filter(({ id, restartCount }) => restartCount > (known?.get(id) ?? 0));
    known = new Map(containers.map(({ id, restartCount }) => [id, restartCount]));
    for (const { pod, name, lastState } of restarted) {
      const shown = await kube
        .run(['logs', pod, '--container', name, '--previous', '--tail', LOG_LINES])
        .catch((error: Error) => error.message);
      found.push({ pod, exitCode: lastState.terminated?.exitCode ?? 0, reason: lastState.terminated?.reason ?? '', log: shown.trim() });
    }
  };
  const watch = startPeriodic(look, {
    intervalMs: INTERVAL_MS,
    atOnce: true,
    logger: { warn: (_fields: unknown, message?: string) => log(message ?? '') },
    failure: 'the restarts of containers could not be read',
  });
  return {
    async stop() {
      await watch.now();
      await watch.stop();
      return found;
    },
  };
}

function containersOf(pods: readonly KubernetesObject[]): (ContainerStatus & { readonly pod: string; readonly id: string })[] {
  return pods.flatMap(({ metadata, ...pod }) =>
    ((pod['status']?.containerStatuses ?? []) as ContainerStatus[]).map((status) => ({
      ...status,
      pod: metadata.name,
      id: `${metadata.uid}/${status.name}`,
    })),
  );
}
