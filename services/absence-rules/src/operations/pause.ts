import { setImmediate } from 'node:timers/promises';

/** How long a loop may run before it yields to other requests, in milliseconds. */
const MAX_RUN_MS = 10;

/**
 * Creates the pause of a loop over employees: await it after each one. Of one employee, entitlements may generate tens of thousands of
 * rules.
 */
export function createPause(): () => Promise<void> | undefined {
  let dueAt = performance.now() + MAX_RUN_MS;
  const pause = async (): Promise<void> => {
    await setImmediate();
    dueAt = performance.now() + MAX_RUN_MS;
  };
  return () => (performance.now() < dueAt ? undefined : pause());
}
