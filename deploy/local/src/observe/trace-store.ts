/** An attribute value in OTLP/JSON. 64-bit integers are strings. */
export interface AttributeValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values?: readonly AttributeValue[] };
}

/** An attribute in OTLP/JSON. */
export interface Attribute {
  readonly key: string;
  readonly value: AttributeValue;
}

/** A span in OTLP/JSON. Ids are hexadecimal; times are strings of nanoseconds. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 is internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly events?: readonly { readonly timeUnixNano: string; readonly name: string; readonly attributes?: readonly Attribute[] }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Code 2 is an error. */
  readonly status?: { readonly code?: number; readonly message?: string };
}

/** A span with the service that sent it. */
export interface Span extends OtlpSpan {
  readonly service: string;
  readonly resource: readonly Attribute[];
}

/** OTLP's `ExportTraceServiceRequest` in JSON. */
interface TracesRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly OtlpSpan[] }[];
  }[];
}

/** Limits that bound the memory to a few hundred MB at most: traces, and spans of one trace. */
const KEPT = { traces: 500, spans: 5_000 };

/** Reads the spans of a request body. @throws SyntaxError if the body is not JSON */
export function readSpans(body: string): Span[] {
  const { resourceSpans = [] } = JSON.parse(body) as TracesRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const attributes = resource?.attributes ?? [];
    const service = attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? 'unknown';
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => ({ ...span, service, resource: attributes })));
  });
}

/** Keeps the last 500 traces in memory. */
export class TraceStore {
  private readonly traces = new Map<string, Span[]>();

  add(spans: readonly Span[]): void {
    for (const span of spans) {
      const trace = this.traces.get(span.traceId) ?? [];
      if (trace.length < KEPT.spans) trace.push(span);
      this.traces.set(span.traceId, trace);
    }
    for (const oldest of this.traces.keys()) {
      if (this.traces.size <= KEPT.traces) break;
      this.traces.delete(oldest);
    }
  }

  /** Returns the spans of a trace; empty if the trace is unknown or was removed. */
  get(traceId: string): readonly Span[] {
    return this.traces.get(traceId) ?? [];
  }

  /** Returns the spans of each trace, the newest trace first. */
  all(): (readonly Span[])[] {
    return [...this.traces.values()].reverse();
  }
}
