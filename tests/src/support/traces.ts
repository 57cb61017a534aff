import { waitFor, type OtlpReceiver, type ReceivedSpan } from '@stechuhr/testing';

/** OTLP's numbers. */
export const SpanKind = { server: 2, client: 3, producer: 4, consumer: 5 } as const;

/** What a test looks for in a span. */
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
 * A span that fits in the trace, with all of its ancestors up to the root, itself first; waits until they have arrived.
 *
 * @param services through which the chain leads, the root's first
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

/** Undefined while one is missing. */
function ancestorsOf(leaf: ReceivedSpan, spans: ReadonlyMap<string, ReceivedSpan>): readonly ReceivedSpan[] | undefined {
  const chain: ReceivedSpan[] = [];
  for (let span: ReceivedSpan | undefined = leaf; ; span = spans.get(span.parentSpanId)) {
    if (span === undefined) return undefined;
    chain.push(span);
    if (!span.parentSpanId) return chain;
  }
}

/** The services of a chain, the root's first; neighbours of one service count once. */
function servicesOf(chain: readonly ReceivedSpan[]): readonly string[] {
  const services = chain.map(({ service }) => service).reverse();
  return services.filter((service, at) => service !== services[at - 1]);
}
