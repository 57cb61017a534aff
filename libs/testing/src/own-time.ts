const TICK_MS = 5;

/**
 * How long some work took in milliseconds, not counting time in which this process got no processor: all timers that are overdue count as one tick.
 * For work that waits, not for work that computes.
 */
export async function ownTime(work: () => Promise<unknown>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), TICK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return ticks * TICK_MS;
}
