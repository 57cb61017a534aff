import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@stechuhr/local-infra';

/** A process that may end unexpectedly and can be restarted. */
export interface Restartable {
  readonly name: string;
  /** Resolves with a sentence when it ended unexpectedly. */
  died(): Promise<string>;
  restart(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for this long is restarted after a short pause. */
const HEALTHY_MS = 60_000;

/** Restarts a process whenever it ends, with pauses that grow as long as it keeps ending; stops when the signal aborts. */
export async function keepRunning(target: Restartable, log: Log, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  let since = performance.now();
  let reason = await target.died();
  for (;;) {
    if (performance.now() - since > HEALTHY_MS) pauseMs = FIRST_PAUSE_MS;
    if (!(await pause(pauseMs, signal, () => log(`${reason}; starting it again in ${pauseMs / 1000} s`)))) return;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    since = performance.now();
    reason = await deathOf(target, log);
  }
}

/** Starts it and waits for its end; a failed start counts as an end. */
async function deathOf(target: Restartable, log: Log): Promise<string> {
  try {
    await target.restart();
    log(`${target.name} runs again`);
    return await target.died();
  } catch (error) {
    return `${target.name} does not start: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** False if the signal aborted the pause. */
async function pause(ms: number, signal: AbortSignal, announce: () => void): Promise<boolean> {
  if (signal.aborted) return false;
  announce();
  return sleep(ms, true, { signal }).catch(() => false);
}
