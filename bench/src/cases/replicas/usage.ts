import type { RunInput } from '../../harness/types.js';
import { cpuMsOf } from '../../platform/service-processes.js';
import { SHARE } from './replica.js';

/** What replicas and their servers used of the machine. */
export interface Usage {
  readonly wallMs: number;
  /** CPU time of all replicas. */
  readonly replicasMs: number;
  /** Cores that all of them may use. */
  readonly heldTo: number;
  /** CPU time of each server. */
  readonly servers: Readonly<Record<string, number>>;
}

/** Begins to measure, by the processes' own clocks. */
export async function startUsage({ values }: RunInput, pids: readonly number[]): Promise<{ end(): Promise<Usage> }> {
  const servers = Object.entries(values['serverPids'] as Readonly<Record<string, number>>);
  const look = async () => {
    const replicas = await Promise.all(pids.map(cpuMsOf));
    const ofServers = await Promise.all(servers.map(([, pid]) => cpuMsOf(pid)));
    return { at: performance.now(), replicasMs: replicas.reduce((sum, ms) => sum + ms, 0), ofServers };
  };
  const begun = await look();
  return {
    async end() {
      const ended = await look();
      return {
        wallMs: ended.at - begun.at,
        replicasMs: ended.replicasMs - begun.replicasMs,
        heldTo: pids.length * SHARE,
        servers: Object.fromEntries(servers.map(([name], n) => [name, (ended.ofServers[n] ?? 0) - (begun.ofServers[n] ?? 0)])),
      };
    },
  };
}
