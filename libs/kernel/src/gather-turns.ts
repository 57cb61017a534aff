/** @returns a function whose promises, of all who call it in one turn of the event loop, resolve together at the end of that turn */
export function gatherTurns(): () => Promise<void> {
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
