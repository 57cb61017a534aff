const TICK_MS = 5;

/**
 * Measures how long something took in the time of this process, in milliseconds. While a busy machine suspends the process, this time does
 * not advance, because all missed ticks count as one. Only for work that waits, not for computations.
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
