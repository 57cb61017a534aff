/** Sets the standard variables that were left open, before the SDK reads them. */
export function fillEnvironment(serviceName: string): void {
  process.env.OTEL_SERVICE_NAME ??= serviceName;
  // The process detector would record the command line.
  process.env.OTEL_NODE_RESOURCE_DETECTORS ??= 'service';
}

/** Whether there is somewhere to send spans to. */
export function exportsSpans(): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_TRACES_EXPORTER } = process.env;
  if (OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT ?? OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_TRACES_EXPORTER);
}
