/** Where callers wait, such as a set. */
export interface WaitingLine {
  add(enter: () => void): unknown;
  delete(enter: () => void): unknown;
}

/**
 * Adds a waiter to a queue and waits until the owner of the queue calls it. If the signal aborts, the waiter leaves the queue.
 * @throws the signal's reason
 */
export function waitInQueue(queue: WaitingLine, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      queue.delete(enter);
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      queue.delete(enter);
      reject(asError(signal?.reason));
    };
    queue.add(enter);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('Aborted.', { cause: reason });
}
