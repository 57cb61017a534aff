import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@stechuhr/local-infra';

/** A process or server that can end unexpectedly and be started again. */
export interface Restartable {
  readonly name: string;
  /** Resolves with a description when it has ended without having been stopped. */
  died(): Promise<string>;
  restart(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** After running for this long, the target is restarted with the shortest pause again. */
const HEALTHY_MS = 60_000;

/** Restarts a target whenever it dies, with exponentially growing pauses while it keeps dying. Resolves when the signal aborts. */
export async function keepRunning(target: Restartable, log: Log, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  let since = performance.now();
  let reason = await target.died();
  for (;;) {
    if (performance.now() - since > HEALTHY_MS) pauseMs = FIRST_PAUSE_MS;
    if (!(await pause(pauseMs, signal, () => log(`${reason}; starting it again in ${pauseMs / 1000} s`)))) return;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    since = performance.now();
    reason = await restartUntilDeath(target, log);
  }
}

/** Restarts the target and resolves with the reason of its next death; a failed start counts as one. */
async function restartUntilDeath(target: Restartable, log: Log): Promise<string> {
  try {
    await target.restart();
    log(`${target.name} runs again`);
    return await target.died();
  } catch (error) {
    return `${target.name} does not start: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Waits. @returns false if the signal ended the pause */
async function pause(ms: number, signal: AbortSignal, announce: () => void): Promise<boolean> {
  if (signal.aborted) return false;
  announce();
  return sleep(ms, true, { signal }).catch(() => false);
}
