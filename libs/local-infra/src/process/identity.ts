import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, distinguishable from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the kernel started it, opaque; null where it was already gone. */
  readonly startedAt: string | null;
}

/** The identity of a running process; `startedAt` is null where there is none (any more). */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid) };
}

/** Whether exactly this process still runs: a pid that was recycled does not count, neither does a zombie. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identity.startedAt !== null && identityOf(identity.pid).startedAt === identity.startedAt;
}

function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in field 2 may hold blanks and parentheses: count from behind it. State is field 3, start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    return state === 'Z' || ticks === undefined ? null : `${bootId()}:${ticks}`;
  } catch {
    return null;
  }
}

/** Start times count from the boot: without it, a process of another boot could be taken for ours. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function startByPs(pid: number): string | null {
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? null : start.join(' ');
  } catch {
    return null;
  }
}
