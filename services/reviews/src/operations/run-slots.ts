import { AppError, createFairLimiter, type FairLimiter, type FairLimits } from '@stechuhr/kernel';

/**
 * Creates the slots for runs, fair between institutions. If a run finds a dependency unavailable, all waiting runs fail at once with the
 * same error: one after the other they would find it themselves, the last of fifty after minutes. Later runs try again.
 *
 * @param hasLeft whether the caller of a run has cancelled or its deadline has passed
 */
export function createRunSlots(limits: FairLimits, hasLeft: (signal: AbortSignal | undefined) => boolean): FairLimiter {
  const limited = createFairLimiter(limits);
  let waiting = new AbortController();
  const dismiss = (reason: AppError): void => {
    const dismissed = waiting;
    waiting = new AbortController();
    dismissed.abort(reason);
  };
  return (key, task, terms) => {
    const signal = terms?.signal;
    const run: typeof task = async () => {
      try {
        return await task();
      } catch (caught) {
        const error = AppError.from(caught);
        // A cancelled or expired call does not show that the dependency is unavailable for others.
        if (error.code === 'unavailable' && !hasLeft(signal)) dismiss(error);
        throw caught;
      }
    };
    return limited(key, run, { ...terms, signal: AbortSignal.any([waiting.signal, ...(signal === undefined ? [] : [signal])]) });
  };
}
