import { AppError, createFairLimiter, type FairLimiter, type FairLimits } from '@stechuhr/kernel';

/**
 * Places for runs, in turns by institution. When a run finds that something it needs is unavailable, those that wait are told the same at once:
 * one after the other they would find it out by themselves, and the last of fifty after minutes. Who comes later tries again.
 */
export function createRunSlots(limits: FairLimits): FairLimiter {
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
        // Who has left says nothing about others.
        if (error.code === 'unavailable' && signal?.aborted !== true) dismiss(error);
        throw caught;
      }
    };
    return limited(key, run, AbortSignal.any([waiting.signal, ...(signal === undefined ? [] : [signal])]));
  };
}
