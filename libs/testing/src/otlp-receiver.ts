import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { waitFor } from './wait-for.js';

/** An exported span. */
export interface ReceivedSpan {
  /** `service.name` of the process. */
  readonly service: string;
  /** Its instrumentation, such as `@opentelemetry/instrumentation-http`. */
  readonly scope: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Nanoseconds since the epoch, as digits. */
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Receives spans over OTLP/HTTP (JSON). */
export interface OtlpReceiver {
  /** The environment variables with which a process with the telemetry preload sends its spans here. */
  readonly environment: Readonly<Record<string, string>>;
  readonly spans: readonly ReceivedSpan[];
  /** Returns the first span that matches, waiting for it if necessary. */
  next(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  stop(): Promise<void>;
}

/** Starts a receiver on a free port. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    void readSpans(request).then((received) => {
      spans.push(...received);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver listens on no port.');
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    spans,
    next: (fits) => waitFor(() => spans.find(fits)),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface ExportRequest {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly ExportedSpan[] }[];
  }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type ExportedSpan = Omit<ReceivedSpan, 'service' | 'scope' | 'attributes'> & { readonly attributes: readonly KeyValue[] };

async function readSpans(request: IncomingMessage): Promise<ReceivedSpan[]> {
  const { resourceSpans = [] } = JSON.parse(await text(request)) as ExportRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({ ...span, service, scope: scope.name, attributes: attributesOf(span.attributes) })),
    );
  });
}

/** Unwraps OTLP values, which are objects that name their type. */
function attributesOf(pairs: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}
