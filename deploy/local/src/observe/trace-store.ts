/** A span as the page shows it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly service: string;
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly failed: boolean;
}

/** A trace in one line. */
export interface TraceSummary {
  readonly traceId: string;
  readonly root: Span;
  readonly spans: number;
  readonly services: readonly string[];
  readonly failed: boolean;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

/** `ExportTraceServiceRequest` of OTLP in JSON: ids are hexadecimal, times strings of nanoseconds. */
interface TracesRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
}

const ERROR = 2;
const NANOS_PER_MS = 1e6;
/** The size of a page's memory: some hundred MB at the very most. */
const KEPT = { traces: 500, spans: 5_000 };

/** The spans of a request body. @throws SyntaxError when it is no JSON */
export function readSpans(body: string): Span[] {
  const { resourceSpans = [] } = JSON.parse(body) as TracesRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const service = resource?.attributes?.find(({ key }) => key === 'service.name')?.value.stringValue ?? 'unknown';
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => toSpan(span, service)));
  });
}

function toSpan({ traceId, spanId, parentSpanId = '', name, startTimeUnixNano, endTimeUnixNano, status }: OtlpSpan, service: string): Span {
  const [start, end] = [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)];
  const startMs = Number(start / 1000n) / 1000;
  return {
    traceId,
    spanId,
    parentSpanId,
    service,
    name,
    startMs,
    durationMs: Number(end - start) / NANOS_PER_MS,
    failed: status?.code === ERROR,
  };
}

/** The last traces, in memory. */
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

  /** Of one trace, as they began; empty where it is not known (any more). */
  get(traceId: string): readonly Span[] {
    return (this.traces.get(traceId) ?? []).toSorted((left, right) => left.startMs - right.startMs);
  }

  /** The newest first. */
  latest(): TraceSummary[] {
    const summaries = [...this.traces.keys()].flatMap((traceId) => {
      const spans = this.get(traceId);
      const root = spans.find(({ parentSpanId }) => parentSpanId === '') ?? spans[0];
      if (root === undefined) return [];
      const services = [...new Set(spans.map(({ service }) => service))];
      return [{ traceId, root, spans: spans.length, services, failed: spans.some(({ failed }) => failed) }];
    });
    return summaries.sort((left, right) => right.root.startMs - left.root.startMs);
  }
}
