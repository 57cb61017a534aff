import { join } from 'node:path';
import { memoryOptions, topology } from '@stechuhr/local';
import { startServiceProcess } from '@stechuhr/testing';
import type { RunInput } from '../../harness/types.js';
import { limitToShare } from '../../platform/processor-share.js';

const ROOT = join(import.meta.dirname, '../../../..');
/** The share of a core that each replica may use. */
export const SHARE = 0.25;

/** Running replicas of one service. */
export interface Replicas {
  readonly pids: readonly number[];
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

/** Returns the environment of the services. */
export const environmentOf = ({ values }: RunInput): Readonly<Record<string, string>> => values['env'] as Readonly<Record<string, string>>;

/**
 * Starts the number of replicas that the variant specifies, each limited to its share of a core. In a quick run they are not limited:
 * nothing is timed, and control groups need root.
 */
export async function startReplicas(service: string, input: RunInput): Promise<Replicas> {
  const count = Number(input.values['replicas']);
  const running = await Promise.all(Array.from({ length: count }, () => startService(service, environmentOf(input))));
  const shares = input.quick ? [] : await Promise.all(running.map(({ pid }) => limitToShare(pid, SHARE)));
  return {
    pids: running.map(({ pid }) => pid),
    addresses: running.map(({ address }) => address),
    async stop() {
      for (const { stop } of running) await stop();
      for (const share of shares) await share.close();
    },
  };
}

/** Starts a process of a service with the same options as in production. */
export function startService(service: string, env: Readonly<Record<string, string>>): ReturnType<typeof startServiceProcess> {
  const definition = topology.filter(({ name }) => name === service);
  return startServiceProcess({
    main: join(ROOT, 'services', service, 'dist/main.js'),
    nodeOptions: [...definition.flatMap(memoryOptions), '--import', '@stechuhr/service/telemetry'],
    env,
  });
}
