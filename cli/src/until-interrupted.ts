/**
 * Runs something until it ends, or until Ctrl-C or SIGTERM.
 * @returns whether it was interrupted
 */
export async function untilInterrupted(run: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  try {
    await run(stopping.signal);
    return stopping.signal.aborted;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}
