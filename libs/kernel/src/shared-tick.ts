/**
 * Lets callers act together: all promises that the returned function creates during one turn of the event loop resolve at its end. What the callers
 * then write is sent to a socket at once.
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
