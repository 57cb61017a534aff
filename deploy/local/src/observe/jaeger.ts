import type { Attribute, AttributeValue, OtlpSpan, Span, TraceStore } from './trace-store.js';

/** Answers a request of Jaeger's pages as its query service would; undefined if there is no such path or trace. */
export function answerJaeger(path: string, query: URLSearchParams, store: TraceStore): unknown {
  const [, kind, name, operations] = /^\/api\/(services|operations|traces)(?:\/([^/]+))?(\/operations)?$/.exec(path) ?? [];
  if (kind === 'services' && name === undefined) return page(distinct(store.all().flat(), ({ service }) => service));
  if (kind === 'services' && operations !== undefined) return page(operationsOf(decodeURIComponent(name ?? ''), store));
  if (kind === 'operations') return page(operationsOf(query.get('service') ?? '', store).map((each) => ({ name: each, spanKind: '' })));
  if (kind === 'traces') return name === undefined ? page(search(query, store).map(toJaeger)) : byId(name, store);
  return undefined;
}

function page(data: readonly unknown[]): object {
  return { data, total: data.length, errors: null };
}

function byId(traceId: string, store: TraceStore): object | undefined {
  const spans = store.get(traceId.toLowerCase());
  return spans.length === 0 ? undefined : page([toJaeger(spans)]);
}

function operationsOf(service: string, store: TraceStore): string[] {
  const own = store.all().flatMap((spans) => spans.filter((span) => span.service === service));
  return distinct(own, (span) => span.name);
}

function distinct(spans: readonly Span[], nameOf: (span: Span) => string): string[] {
  return [...new Set(spans.map(nameOf))].toSorted();
}

const DEFAULT_LIMIT = 20;

/** Searches by the parameters of Jaeger's search page. A trace is found if one of its spans meets all conditions. */
function search(query: URLSearchParams, store: TraceStore): (readonly Span[])[] {
  const wanted = query.getAll('traceID');
  if (wanted.length > 0) return wanted.map((traceId) => store.get(traceId)).filter((spans) => spans.length > 0);
  const found = store.all().filter((spans) => spans.some((span) => matches(span, query)));
  return found.slice(0, Number(query.get('limit')) || DEFAULT_LIMIT);
}

function matches(span: Span, query: URLSearchParams): boolean {
  const asked = (name: string, holds: (value: string) => boolean): boolean => {
    const value = query.get(name) ?? '';
    return value === '' || holds(value);
  };
  const [began, took] = [microseconds(span.startTimeUnixNano), duration(span)];
  return (
    asked('service', (service) => span.service === service) &&
    asked('operation', (operation) => span.name === operation) &&
    asked('start', (start) => began >= Number(start)) &&
    asked('end', (end) => began <= Number(end)) &&
    asked('minDuration', (text) => took >= readDuration(text)) &&
    asked('maxDuration', (text) => took <= readDuration(text)) &&
    asked('tags', (tags) => hasTags(span, JSON.parse(tags) as Readonly<Record<string, string>>))
  );
}

const MICROSECONDS: Readonly<Record<string, number>> = { us: 1, µs: 1, ms: 1e3, s: 1e6, m: 6e7, h: 3.6e9 };

/** Parses a duration such as `1.2s`, `100ms` or `500us` into microseconds. Returns NaN for other texts, which matches no span. */
function readDuration(text: string): number {
  const [, number, unit = ''] = /^([\d.]+)\s*(us|µs|ms|s|m|h)$/.exec(text.trim()) ?? [];
  return Number(number) * (MICROSECONDS[unit] ?? Number.NaN);
}

function hasTags(span: Span, tags: Readonly<Record<string, string>>): boolean {
  const own = new Map(tagsOf(span).map(({ key, value }) => [key, String(value)]));
  return Object.entries(tags).every(([key, value]) => own.get(key) === value);
}

interface Tag {
  readonly key: string;
  readonly type: 'string' | 'bool' | 'float64';
  readonly value: string | boolean | number;
}

const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];
const ERROR = 2;

function tagsOf({ attributes = [], kind = 0, status }: OtlpSpan): Tag[] {
  const own: Tag[] = attributes.map(toTag);
  if (KINDS[kind]) own.push({ key: 'span.kind', type: 'string', value: KINDS[kind] });
  if (status?.code === ERROR) own.push({ key: 'error', type: 'bool', value: true });
  if (status?.message) own.push({ key: 'otel.status_description', type: 'string', value: status.message });
  return own;
}

function toTag({ key, value }: Attribute): Tag {
  const plain = plainValue(value);
  if (typeof plain === 'boolean') return { key, type: 'bool', value: plain };
  if (typeof plain === 'number') return { key, type: 'float64', value: plain };
  return { key, type: 'string', value: typeof plain === 'string' ? plain : JSON.stringify(plain) };
}

function plainValue({ stringValue, boolValue, intValue, doubleValue, arrayValue }: AttributeValue): unknown {
  if (intValue !== undefined) return Number(intValue);
  if (arrayValue !== undefined) return (arrayValue.values ?? []).map(plainValue);
  return stringValue ?? boolValue ?? doubleValue ?? '';
}

/** Converts a trace to the format of Jaeger's pages. */
export function toJaeger(spans: readonly Span[]): object {
  const processes = distinct(spans, ({ service }) => service);
  const resourceOf = (service: string): readonly Attribute[] => spans.find((span) => span.service === service)?.resource ?? [];
  return {
    traceID: spans[0]?.traceId ?? '',
    spans: spans.map((span) => toJaegerSpan(span, processes.indexOf(span.service))),
    processes: Object.fromEntries(
      processes.map((serviceName, index) => [`p${index}`, { serviceName, tags: resourceOf(serviceName).map(toTag) }]),
    ),
    warnings: null,
  };
}

function toJaegerSpan(span: Span, process: number): object {
  const { traceId, spanId, parentSpanId = '', name, events = [], links = [] } = span;
  return {
    traceID: traceId,
    spanID: spanId,
    operationName: name,
    references: [
      ...(parentSpanId === '' ? [] : [{ refType: 'CHILD_OF', traceID: traceId, spanID: parentSpanId }]),
      ...links.map((link) => ({ refType: 'FOLLOWS_FROM', traceID: link.traceId, spanID: link.spanId })),
    ],
    startTime: microseconds(span.startTimeUnixNano),
    duration: duration(span),
    tags: tagsOf(span),
    logs: events.map(({ timeUnixNano, name: event, attributes = [] }) => ({
      timestamp: microseconds(timeUnixNano),
      fields: [{ key: 'event', type: 'string', value: event }, ...attributes.map(toTag)],
    })),
    processID: `p${process}`,
    warnings: null,
  };
}

/** Converts nanoseconds to microseconds. They are a string, because a JavaScript number cannot hold them exactly. */
function microseconds(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1000n);
}

function duration({ startTimeUnixNano, endTimeUnixNano }: OtlpSpan): number {
  return Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1000;
}
