import { SpanKind } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  SamplingDecision,
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

/**
 * Creates the sampler that the standard variables select. It follows the decision of a calling service, but not that of a client of the
 * HTTP API, who could otherwise have all requests recorded whatever the ratio is, or hide them.
 */
export function createSampler(): Sampler {
  const { followsCaller, ratio } = readSampling();
  const root = new TraceIdRatioBasedSampler(ratio);
  if (!followsCaller) return root;
  const remoteParentSampled = exceptHttp(new AlwaysOnSampler(), ratio);
  const remoteParentNotSampled = exceptHttp(new AlwaysOffSampler(), ratio);
  return new ParentBasedSampler({ root, remoteParentSampled, remoteParentNotSampled });
}

/** Records this part of the HTTP requests, chosen at random: the trace id would not do, since the client chooses it. */
function exceptHttp(others: Sampler, ratio: number): Sampler {
  return {
    shouldSample(...span) {
      const [, , , kind, attributes] = span;
      if (kind !== SpanKind.SERVER || attributes['http.request.method'] === undefined) return others.shouldSample(...span);
      return { decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `ExceptHttp{${String(ratio)}, ${others.toString()}}`,
  };
}
