let shutDown: (() => Promise<void>) | undefined;

/** The telemetry preload sets how its last spans and metrics are sent. */
export function setTelemetryShutdown(shutdown: () => Promise<void>): void {
  shutDown = shutdown;
}

/** Sends what telemetry still holds; never fails, because nothing is left that could react. */
export async function flushTelemetry(): Promise<void> {
  await shutDown?.().catch(() => undefined);
}
