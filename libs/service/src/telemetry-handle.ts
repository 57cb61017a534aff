import { setTimeout as delay } from 'node:timers/promises';

/** How long a process that stops waits for a collector that does not answer, in milliseconds: part of its grace period. */
const FLUSH_MS = 5_000;

let shutDown: (() => Promise<void>) | undefined;

/** Sets the function that sends the last spans and metrics; called by the telemetry preload. */
export function setTelemetryShutdown(shutdown: () => Promise<void>): void {
  shutDown = shutdown;
}

/** Sends the remaining spans and metrics, if the collector takes them soon. Never fails, because nothing could react any more. */
export async function flushTelemetry(): Promise<void> {
  if (shutDown === undefined) return;
  const isOver = new AbortController();
  const limit = delay(FLUSH_MS, undefined, { signal: isOver.signal });
  await Promise.race([shutDown(), limit]).catch(() => undefined);
  isOver.abort();
  await limit.catch(() => undefined);
}
