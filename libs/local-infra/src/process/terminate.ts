import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './identity.js';

/** Sends a signal to a process or its whole group; a process that has already ended is not an error. */
export function signal(pid: number, name: NodeJS.Signals, whom: 'process' | 'group' = 'process'): void {
  try {
    process.kill(whom === 'group' ? -pid : pid, name);
  } catch {
    // It has already ended.
  }
}

/** Ends a process of an earlier run: SIGTERM, and after the grace period SIGKILL to its group. A reused pid is never signalled. */
export async function terminate(identity: ProcessIdentity, graceMs: number): Promise<void> {
  if (!isRunning(identity)) return;
  signal(identity.pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (isRunning(identity) && performance.now() < deadline) await sleep(25);
  if (!isRunning(identity)) return;
  signal(identity.pid, 'SIGKILL', 'group');
  while (isRunning(identity)) await sleep(10);
}
