/**
 * Lets callers act together: all promises that the returned function gives out during one turn of the event loop resolve at the end of that
 * turn. What the callers then write goes to a socket in one piece.
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
