const TICK_MS = 50;

/**
 * Returns a signal that aborts with a `TimeoutError` after a time during which this process could have read a response. While the process
 * gets no CPU time or blocks its event loop, this time does not advance; a normal timeout would expire before the data that has arrived
 * meanwhile is read. The timer does not keep the process alive.
 *
 * @param ms milliseconds
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
