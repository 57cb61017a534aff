import type { RunInput } from '../../harness/types.js';
import { cpuMsOf } from '../../platform/service-processes.js';
import { SHARE } from './replica.js';

/** CPU usage of replicas and their servers. */
export interface Usage {
  readonly wallMs: number;
  /** CPU time of all replicas. */
  readonly replicasMs: number;
  /** Number of cores that all replicas together may use. */
  readonly heldTo: number;
  /** CPU time of each server. */
  readonly servers: Readonly<Record<string, number>>;
}

/** Starts measuring CPU time, which is read from the accounting of each process. */
export async function startUsage({ values }: RunInput, pids: readonly number[]): Promise<{ end(): Promise<Usage> }> {
  const servers = Object.entries(values['serverPids'] as Readonly<Record<string, number>>);
  const sample = async () => {
    const replicas = await Promise.all(pids.map(cpuMsOf));
    const ofServers = await Promise.all(servers.map(([, pid]) => cpuMsOf(pid)));
    return { at: performance.now(), replicasMs: replicas.reduce((sum, ms) => sum + ms, 0), ofServers };
  };
  const begun = await sample();
  return {
    async end() {
      const ended = await sample();
      return {
        wallMs: ended.at - begun.at,
        replicasMs: ended.replicasMs - begun.replicasMs,
        heldTo: pids.length * SHARE,
        servers: Object.fromEntries(servers.map(([name], n) => [name, (ended.ofServers[n] ?? 0) - (begun.ofServers[n] ?? 0)])),
      };
    },
  };
}
