import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { redactingProcessor } from './redacting-processor.js';
import { readSampling, readTraceExport, type Protocol } from './config.js';

/** Loaded on demand, so that only the configured exporter is loaded. */
const OTLP_EXPORTERS: Readonly<Record<Protocol, () => Promise<SpanExporter>>> = {
  grpc: async () => new (await import('@opentelemetry/exporter-trace-otlp-grpc')).OTLPTraceExporter(),
  'http/json': async () => new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(),
  'http/protobuf': async () => new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(),
};

/** Creates the span processors: redaction, then the exporters that the standard variables select. */
export async function createSpanProcessors(): Promise<SpanProcessor[]> {
  const { exporters, protocol, batch } = readTraceExport();
  const sinks = exporters.map(async (name) =>
    name === 'console'
      ? new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })
      : new BatchSpanProcessor({ exporter: await OTLP_EXPORTERS[protocol](), ...batch }),
  );
  return [redactingProcessor, ...(await Promise.all(sinks))];
}

/** Creates the sampler that the standard variables select. */
export function createSampler(): Sampler {
  const { followsCaller, ratio } = readSampling();
  const root = new TraceIdRatioBasedSampler(ratio);
  return followsCaller ? new ParentBasedSampler({ root }) : root;
}
