import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

const TICK_MS = 100;

/**
 * How many runnable processes there are for each processor at the moment; at least 1.
 * @param wanted the number of runnable processes
 */
export function crowding(wanted = wantProcessor()): number {
  return Math.max(1, wanted / availableParallelism());
}

/** Linux has the current number ("3.70 1.25 0.61 5/312 4711"), other systems an average over a minute. */
function wantProcessor(): number {
  try {
    return Number(/ (\d+)\//u.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1]);
  } catch {
    return loadavg()[0] ?? 1;
  }
}

/**
 * Calls `late` after the given time, which is extended in proportion to the load of the machine: a process that shares its processor with nine others
 * takes ten times as long. Meant for waiting for other processes, where only a defect causes a delay, not for deadlines of the product. The timer
 * keeps this process alive, since it may have nothing else to do while it waits.
 * @returns cancels the timer
 */
export function machineTimeout(late: () => void, ms: number): () => void {
  let leftMs = ms;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    leftMs -= (now - last) / crowding();
    last = now;
    if (leftMs > 0) return;
    clearInterval(timer);
    late();
  }, TICK_MS);
  return () => clearInterval(timer);
}
