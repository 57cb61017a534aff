import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { redactingProcessor } from './redacting-processor.js';
import { readTraceExport, type Protocol } from './config.js';

const OTLP_EXPORTERS: Readonly<Record<Protocol, () => SpanExporter>> = {
  grpc: () => new GrpcExporter(),
  'http/json': () => new JsonExporter(),
  'http/protobuf': () => new ProtobufExporter(),
};

/**
 * What spans go through: redaction, then the exporters of the standard variables. The SDK would read these itself, but then takes no
 * processor besides them.
 */
export function createSpanProcessors(): SpanProcessor[] {
  const { exporters, protocol, batch } = readTraceExport();
  const sinks = exporters.map((name) =>
    name === 'console'
      ? new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })
      : new BatchSpanProcessor({ exporter: OTLP_EXPORTERS[protocol](), ...batch }),
  );
  return [redactingProcessor, ...sinks];
}
