import { waitFor, type OtlpReceiver, type ReceivedSpan } from '@stechuhr/testing';

/** Span kinds of OTLP. */
export const SpanKind = { server: 2, client: 3, producer: 4, consumer: 5 } as const;

/** Conditions for a span. */
export type SpanPattern = Partial<Pick<ReceivedSpan, 'service' | 'kind'>> & { readonly name?: RegExp; readonly scope?: RegExp };

export function fits(span: ReceivedSpan, { service, kind, name, scope }: SpanPattern): boolean {
  return (
    (service === undefined || span.service === service) &&
    (kind === undefined || span.kind === kind) &&
    (name === undefined || name.test(span.name)) &&
    (scope === undefined || scope.test(span.scope))
  );
}

/**
 * Waits for a matching span of the trace and all of its ancestors. Returns them from the span up to the root.
 *
 * @param services of the chain, beginning with that of the root
 */
export function chainOf(
  otlp: OtlpReceiver,
  traceId: string,
  pattern: SpanPattern,
  services: readonly string[],
): Promise<readonly ReceivedSpan[]> {
  const path = services.join();
  return waitFor(() => {
    const spans = new Map(otlp.spans.filter((span) => span.traceId === traceId).map((span) => [span.spanId, span]));
    for (const leaf of spans.values()) {
      if (!fits(leaf, pattern)) continue;
      const chain = ancestorsOf(leaf, spans);
      if (chain !== undefined && servicesOf(chain).join() === path) return chain;
    }
    return undefined;
  });
}

/** Returns the ancestors of a span; undefined while one is missing. */
function ancestorsOf(leaf: ReceivedSpan, spans: ReadonlyMap<string, ReceivedSpan>): readonly ReceivedSpan[] | undefined {
  const chain: ReceivedSpan[] = [];
  for (let span: ReceivedSpan | undefined = leaf; ; span = spans.get(span.parentSpanId)) {
    if (span === undefined) return undefined;
    chain.push(span);
    if (!span.parentSpanId) return chain;
  }
}

/** Returns the services of a chain, beginning with that of the root, without consecutive duplicates. */
function servicesOf(chain: readonly ReceivedSpan[]): readonly string[] {
  const services = chain.map(({ service }) => service).reverse();
  return services.filter((service, at) => service !== services[at - 1]);
}

/** A call from one service to another. */
export interface TracedCall {
  /** `<service> <method>` */
  readonly name: string;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
}

/** Returns the nearest ancestor that is the root or a message consumer; undefined while it has not arrived. */
function causeOf(call: ReceivedSpan, spans: ReadonlyMap<string, ReceivedSpan>, root: SpanPattern): ReceivedSpan | undefined {
  let span: ReceivedSpan | undefined = call;
  while (span !== undefined && !fits(span, root) && span.kind !== SpanKind.consumer) span = spans.get(span.parentSpanId ?? '');
  return span;
}

/**
 * Returns the calls between services that a request or message caused, in order of their start. The lookup of a token's account is
 * excluded, because it is cached, and so are calls of consumers of resulting events, because nobody waits for them.
 *
 * @param root the span that ends after all calls; once it has arrived, only spans of calls are missing
 */
export async function callsOf(otlp: OtlpReceiver, traceId: string, root: SpanPattern): Promise<readonly TracedCall[]> {
  const [calls] = await waitFor(() => {
    const spans = otlp.spans.filter((span) => span.traceId === traceId);
    if (!spans.some((span) => fits(span, root))) return undefined;
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const calls = spans.filter((span) => fits(span, { kind: SpanKind.client, scope: /grpc/ }));
    const causes = calls.map((span) => causeOf(span, byId, root));
    if (causes.includes(undefined)) return undefined;
    const made = calls.filter((_, at) => fits(causes[at] as ReceivedSpan, root));
    const served = made.map((call) => spans.find((span) => span.kind === SpanKind.server && span.parentSpanId === call.spanId));
    return served.every((span) => span !== undefined) ? [served] : undefined;
  });
  return calls
    .map(({ service, name, startTimeUnixNano, endTimeUnixNano }) => ({
      name: `${service} ${name.slice(name.lastIndexOf('/') + 1)}`,
      startedAt: BigInt(startTimeUnixNano),
      endedAt: BigInt(endTimeUnixNano),
    }))
    .filter(({ name }) => name !== 'records GetAccount')
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}
