import { AppError } from '@stechuhr/kernel';
import type { RunSlots } from './ports.js';

/** Limits the number of simultaneous runs; others wait in line. Each run keeps a processor busy and its findings in memory. */
export function createRunSlots(count: number): RunSlots {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (signal, run) => {
    if (free > 0) free -= 1;
    else await turn(waiting, signal);
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(enter), 1);
      reject(new AppError('unavailable', 'The caller disconnected.', { cause: signal.reason }));
    };
    const enter = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    if (signal.aborted) reject(new AppError('unavailable', 'The caller disconnected.', { cause: signal.reason }));
    else {
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(enter);
    }
  });
}
