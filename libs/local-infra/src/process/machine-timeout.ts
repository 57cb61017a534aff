import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

const TICK_MS = 100;

/** How many processes want each processor at this moment; at least 1. @param wanted how many want one, of all */
export function crowding(wanted = wantProcessor()): number {
  return Math.max(1, wanted / availableParallelism());
}

/** Linux tells it by the moment ("3.70 1.25 0.61 5/312 4711"), others as the average of a minute. */
function wantProcessor(): number {
  try {
    return Number(/ (\d+)\//u.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1]);
  } catch {
    return loadavg()[0] ?? 1;
  }
}

/**
 * A limit for what other processes do: `late` is called after so many milliseconds, counted as slowly as this machine is busy, because a
 * process that shares its processor with nine others takes ten times as long. For what only a defect makes late, not for deadlines of the
 * product. It keeps the process alive until it is over or taken back: who waits for another process may have nothing else that does.
 *
 * @returns takes the limit back
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
