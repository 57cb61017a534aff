import { basename, dirname } from 'node:path';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { AlwaysOffSampler, NoopSpanProcessor } from '@opentelemetry/sdk-trace';
import { setMetricsHandler } from '../prometheus.js';
import { setTelemetryShutdown } from '../telemetry-handle.js';
import { createInstrumentations } from './instrumentations.js';
import { exportsSpans, fillEnvironment } from './config.js';
import { createSpanProcessors } from './span-processors.js';

/** Starts the OpenTelemetry SDK; the loader hook must be registered. */
export function startTelemetry(): void {
  fillEnvironment(serviceName());
  const prometheus = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const sdk = startNodeSdk({
    // Lower levels would go to stdout, between the lines of the log.
    logLevel: 'warn',
    instrumentations: createInstrumentations(),
    metricReaders: [prometheus],
    // Logs are lines on stdout.
    logRecordProcessors: [],
    // Without an endpoint spans cost almost nothing, and ids still connect the logs of one call.
    ...(exportsSpans()
      ? { spanProcessors: createSpanProcessors() }
      : { spanProcessors: [new NoopSpanProcessor()], sampler: new AlwaysOffSampler() }),
  });
  setMetricsHandler((request, response) => prometheus.getMetricsRequestHandler(request, response));
  setTelemetryShutdown(() => sdk.shutdown());
}

/** A service is started as `services/<name>/dist/main.js`. */
function serviceName(): string {
  return basename(dirname(dirname(process.argv[1] ?? '')));
}
