let shutDown: (() => Promise<void>) | undefined;

/** Called by the telemetry preload to register how its last spans and metrics are sent. */
export function setTelemetryShutdown(shutdown: () => Promise<void>): void {
  shutDown = shutdown;
}

/** Sends what telemetry still holds; never fails, because nothing could react to that any more. */
export async function flushTelemetry(): Promise<void> {
  await shutDown?.().catch(() => undefined);
}
