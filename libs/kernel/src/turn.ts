/** Waits among others until called; whoever aborts leaves. @throws the signal's reason */
export function turn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      waiting.delete(enter);
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting.delete(enter);
      reject(asError(signal?.reason));
    };
    waiting.add(enter);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('Aborted.', { cause: reason });
}
