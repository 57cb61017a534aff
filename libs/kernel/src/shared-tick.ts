/**
 * Synchronises callers: all promises that the returned function creates during one iteration of the event loop resolve together at its end,
 * so that what the callers then write is sent to a socket in one piece.
 */
export function sharedTick(): () => Promise<void> {
  let current: Promise<void> | undefined;
  return () => {
    current ??= new Promise((resolve) => {
      setImmediate(() => {
        current = undefined;
        resolve();
      });
    });
    return current;
  };
}
