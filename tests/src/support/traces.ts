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

/** A call from one service to another. */
export interface TracedCall {
  /** `<service> <method>` */
  readonly name: string;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
}

/** The nearest span above that is the root, or of somebody who has taken a message; undefined while it has not arrived. */
function causeOf(call: ReceivedSpan, spans: ReadonlyMap<string, ReceivedSpan>, root: SpanPattern): ReceivedSpan | undefined {
  let span: ReceivedSpan | undefined = call;
  while (span !== undefined && !fits(span, root) && span.kind !== SpanKind.consumer) span = spans.get(span.parentSpanId ?? '');
  return span;
}

/**
 * The calls between services that a request or message took, in the order in which they began. The lookup of a token's account is none:
 * it is cached. Neither are those of whoever takes the events that it caused: nobody waits for them.
 *
 * @param root the span that ends when everything was called; from then on only what was called has to arrive
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
