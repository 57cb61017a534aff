import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process, even if its pid is reused later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the kernel started it, as an opaque text; null if it had already ended. */
  readonly startedAt: string | null;
}

/** The identity of a process; `startedAt` is null if there is no such process. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid) };
}

/** Whether exactly this process is still running. A reused pid does not count, and neither does a zombie. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identity.startedAt !== null && identityOf(identity.pid).startedAt === identity.startedAt;
}

function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 2, the name, may contain blanks and parentheses, so fields are counted from behind it. The state is field 3, the start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    return state === 'Z' || ticks === undefined ? null : `${bootId()}:${ticks}`;
  } catch {
    return null;
  }
}

/** Start times count from the boot; the boot id distinguishes processes of different boots. */
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
