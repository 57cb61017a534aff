let shutDown: (() => Promise<void>) | undefined;

/** Sets the function that sends the last spans and metrics; called by the telemetry preload. */
export function setTelemetryShutdown(shutdown: () => Promise<void>): void {
  shutDown = shutdown;
}

/** Sends the remaining spans and metrics. Never fails, because nothing could react any more. */
export async function flushTelemetry(): Promise<void> {
  await shutDown?.().catch(() => undefined);
}
