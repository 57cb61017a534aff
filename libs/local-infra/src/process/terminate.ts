import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './identity.js';

/** Sends a signal to a process, or to its whole group; a process that is gone is no error. */
export function signal(pid: number, name: NodeJS.Signals, whom: 'process' | 'group' = 'process'): void {
  try {
    process.kill(whom === 'group' ? -pid : pid, name);
  } catch {
    // It ended by itself.
  }
}

/** Ends a process of an earlier run: SIGTERM, then SIGKILL to its group after the grace. Never touches a recycled pid. */
export async function terminate(identity: ProcessIdentity, graceMs: number): Promise<void> {
  if (!isRunning(identity)) return;
  signal(identity.pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (isRunning(identity) && performance.now() < deadline) await sleep(25);
  if (!isRunning(identity)) return;
  signal(identity.pid, 'SIGKILL', 'group');
  while (isRunning(identity)) await sleep(10);
}
