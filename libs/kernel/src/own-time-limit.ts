const TICK_MS = 50;

/**
 * A limit for a wait: a signal that is aborted with a `TimeoutError` after so many milliseconds in which this process could have read the
 * answer. While a process gets no processor or blocks its event loop this time stands still: by the clock, the limit would be over before
 * anything that has arrived meanwhile was read. It keeps no process alive.
 */
export function ownTimeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  let leftMs = ms;
  const timer = setInterval(() => {
    leftMs -= TICK_MS;
    if (leftMs > 0) return;
    clearInterval(timer);
    limit.abort(new DOMException(`no answer within ${String(ms)} ms`, 'TimeoutError'));
  }, TICK_MS).unref();
  return limit.signal;
}
