import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { probePath } from './probe-path.js';

/** The processes of a platform's services, by name. */
export interface ServiceProcesses {
  readonly pids: Readonly<Record<string, number>>;
  readonly probes: string;
}

/** What the services needed since they were last {@link forget|told to forget}. */
export interface ServiceUsage {
  /** At most. */
  readonly rssMb: number;
  /** At the end, of pages that several processes share, such as those of Node's program, the part that falls to it. */
  readonly pssMb: number;
  readonly cpuMs: number;
  /** For how long the event loop was late at worst. */
  readonly gapMs: number;
  /** CPU time of its thread between two looks at the loop, at worst: a gap without what the machine did meanwhile. */
  readonly busyMs: number;
}

/** What the kernel counts CPU time in: 100 ticks a second on every Linux (proc(5), USER_HZ). */
const TICK_MS = 10;

/** Begins a measurement: the peak of memory becomes the present size, the longest gap nothing. */
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

/** Ends it. */
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

/** `VmHWM` in MiB (proc(5)). */
async function peakRssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** `Pss` in MiB (proc_pid_smaps_rollup). */
async function pssMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

/** User and system time of all threads. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the command, in parentheses, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function readGaps(probes: string, pid: number): Promise<Pick<ServiceUsage, 'gapMs' | 'busyMs'>> {
  return JSON.parse(await text(connect(probePath(probes, pid)))) as Pick<ServiceUsage, 'gapMs' | 'busyMs'>;
}
