import { AppError, createFairLimiter, type FairLimiter, type FairLimits } from '@stechuhr/kernel';

/**
 * Places for runs, in turns by institution. When a run finds that something it needs is unavailable, those that wait are told the same at once:
 * one after the other they would find it out by themselves, and the last of fifty after minutes. Who comes later tries again.
 *
 * @param hasLeft whether the caller of a run waits no longer
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
        // Who has left, or waited only for so long, says nothing about others.
        if (error.code === 'unavailable' && !hasLeft(signal)) dismiss(error);
        throw caught;
      }
    };
    return limited(key, run, AbortSignal.any([waiting.signal, ...(signal === undefined ? [] : [signal])]));
  };
}
