const TICK_MS = 50;

/**
 * A time limit for waiting: the signal aborts with a `TimeoutError` after so many milliseconds in which this process could have read the response.
 * Time in which the process got no processor, or blocked its event loop, does not count; otherwise the limit could be over before data that has
 * already arrived was read. The timer does not keep the process alive.
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
