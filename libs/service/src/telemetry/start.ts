import { basename, dirname } from 'node:path';
import { context, diag, DiagConsoleLogger, DiagLogLevel, metrics, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { AlwaysOffSampler, NoopSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { setMetricsHandler } from '../prometheus.js';
import { setTelemetryShutdown } from '../telemetry-handle.js';
import { ContextManager } from './context-manager.js';
import { createInstrumentations } from './instrumentations.js';
import { exportsSpans, fillEnvironment } from './config.js';
import { MetricsExporter } from './metrics-exporter.js';
import { views } from './views.js';

/**
 * Starts tracing and metrics; the loader hook must already be registered. It assembles the components of OpenTelemetry itself, because the
 * package that configures them from the environment (`sdk-node`) loads every exporter and protocol at each start of each process
 * (docs/adr/0022).
 */
export async function startTelemetry(): Promise<void> {
  // Lower levels would be written to stdout, between the log lines.
  diag.setLogger(new DiagConsoleLogger(), { logLevel: DiagLogLevel.WARN });
  fillEnvironment(serviceName());
  const detectors = [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector];
  const resource = defaultResource().merge(detectResources({ detectors }));
  const prometheus = new MetricsExporter();
  const meterProvider = new MeterProvider({ resource, readers: [prometheus], views: [...views] });
  const tracerProvider = new TracerProvider({ resource, ...(await tracing()) });
  context.setGlobalContextManager(new ContextManager().enable());
  // Without baggage, which nobody reads: what a client of the API sends as baggage would reach the webhooks of other institutions.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  metrics.setGlobalMeterProvider(meterProvider);
  trace.setGlobalTracerProvider(tracerProvider);
  registerInstrumentations({ instrumentations: createInstrumentations(), meterProvider, tracerProvider });
  setMetricsHandler((request, response) => prometheus.getMetricsRequestHandler(request, response));
  setTelemetryShutdown(async () => {
    await Promise.all([meterProvider.shutdown(), tracerProvider.shutdown()]);
  });
}

/** Returns the tracing options. Without an endpoint, spans cost almost nothing, but their ids still connect the log lines of a call. */
async function tracing() {
  if (!exportsSpans()) return { spanProcessors: [new NoopSpanProcessor()], sampler: new AlwaysOffSampler() };
  const { createSampler, createSpanProcessors } = await import('./span-processors.js');
  return { spanProcessors: await createSpanProcessors(), sampler: createSampler() };
}

/** Returns the name of the service, which is started as `services/<name>/dist/main.js`. */
function serviceName(): string {
  return basename(dirname(dirname(process.argv[1] ?? '')));
}
