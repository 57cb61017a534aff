import { AppError, createFairLimiter, type FairLimiter, type FairLimits } from '@stechuhr/kernel';

/**
 * Slots for runs, assigned fairly between institutions. If a run finds that a dependency is unavailable, all waiting runs fail at once with the same
 * error: otherwise they would find out one after the other, and the last of fifty only after minutes. Later runs try again.
 * @param hasLeft whether the caller of a run is no longer waiting
 */
export function createRunSlots(limits: FairLimits, hasLeft: (signal: AbortSignal | undefined) => boolean): FairLimiter {
  const limited = createFairLimiter(limits);
  let waiting = new AbortController();
  const dismiss = (reason: AppError): void => {
    const dismissed = waiting;
    waiting = new AbortController();
    dismissed.abort(reason);
  };
  return (key, task, signal) => {
    const run: typeof task = async () => {
      try {
        return await task();
      } catch (caught) {
        const error = AppError.from(caught);
        // An abort by the caller, or its deadline, says nothing about other runs.
        if (error.code === 'unavailable' && !hasLeft(signal)) dismiss(error);
        throw caught;
      }
    };
    return limited(key, run, AbortSignal.any([waiting.signal, ...(signal === undefined ? [] : [signal])]));
  };
}
