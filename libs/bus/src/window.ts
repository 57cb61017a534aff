/**
 * Lets at most `size` tasks run at a time; further ones start in their order.
 *
 * @returns a function that runs a task when there is room for it, with the task's outcome
 */
export function createWindow(size: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = size;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free > 0) free -= 1;
    // The task that ends hands its place on, so that nobody who comes later can take it.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
