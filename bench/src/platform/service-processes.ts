import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { probePath } from './probe-path.js';

/** The process ids of services by name, and the folder with the sockets of their probes. */
export interface ServiceProcesses {
  readonly pids: Readonly<Record<string, number>>;
  readonly probes: string;
}

/** Resources that a service used since {@link beginUsage}. */
export interface ServiceUsage {
  /** Peak resident memory. */
  readonly rssMb: number;
  /** Proportional memory at the end: pages that several processes share, such as those of the Node binary, are divided among them. */
  readonly pssMb: number;
  readonly cpuMs: number;
  /** Longest delay of the event loop. */
  readonly gapMs: number;
  /** Most CPU time that its main thread used between two ticks of the probe: a delay without time spent waiting for a core. */
  readonly busyMs: number;
}

/** The unit in which the kernel reports CPU time: 100 ticks per second on every Linux (proc(5), USER_HZ). */
const TICK_MS = 10;

/** Begins a measurement: resets the peak memory and the longest delay. @returns the CPU time so far by service */
export async function beginUsage({ pids, probes }: ServiceProcesses): Promise<ReadonlyMap<string, number>> {
  const started = new Map<string, number>();
  for (const [name, pid] of Object.entries(pids)) {
    // proc(5): 5 resets the peak resident set size.
    await writeFile(`/proc/${pid}/clear_refs`, '5');
    await readGaps(probes, pid);
    started.set(name, await cpuMsOf(pid));
  }
  return started;
}

/** Ends a measurement. */
export async function endUsage(
  { pids, probes }: ServiceProcesses,
  begun: ReadonlyMap<string, number>,
): Promise<Readonly<Record<string, ServiceUsage>>> {
  const usages: Record<string, ServiceUsage> = {};
  for (const [name, pid] of Object.entries(pids)) {
    const cpuMs = (await cpuMsOf(pid)) - (begun.get(name) ?? 0);
    usages[name] = { rssMb: await peakRssMb(pid), pssMb: await pssMb(pid), cpuMs, ...(await readGaps(probes, pid)) };
  }
  return usages;
}

/** Returns `VmHWM` in MiB (proc(5)). */
async function peakRssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Returns `Pss` in MiB (proc_pid_smaps_rollup). */
async function pssMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

/** Returns user plus system time of all threads in milliseconds. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The command name in parentheses may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function readGaps(probes: string, pid: number): Promise<Pick<ServiceUsage, 'gapMs' | 'busyMs'>> {
  return JSON.parse(await text(connect(probePath(probes, pid)))) as Pick<ServiceUsage, 'gapMs' | 'busyMs'>;
}
