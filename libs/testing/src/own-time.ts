const TICK_MS = 5;

/**
 * How long something took by the time of this process, in milliseconds: while a busy machine lets others run it stands still, for what was
 * due meanwhile counts as one tick. For what waits, not for what computes.
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
