import { describe, expect, it } from '@jest/globals';
import { inOrder, tracePage, tracesPage } from './trace-page.js';
import { readSpans, TraceStore } from './trace-store.js';

interface Given {
  readonly trace?: string;
  readonly id: string;
  readonly parent?: string;
  readonly name?: string;
  readonly at: number;
  readonly status?: number;
}

const BEGAN_NS = 1_800_000_000_000_000_000n;

/** A request body as a service sends it. */
function body(service: string, spans: readonly Given[]): string {
  const attributes = [{ key: 'service.name', value: { stringValue: service } }];
  const otlp = spans.map(({ trace = 't1', id, parent, name = id, at, status = 0 }) => ({
    traceId: trace,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    startTimeUnixNano: String(BEGAN_NS + BigInt(at) * 1_000_000n),
    endTimeUnixNano: String(BEGAN_NS + BigInt(at + 5) * 1_000_000n),
    status: { code: status },
  }));
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 's' }, spans: otlp }] }] });
}

describe('TraceStore', () => {
  it('puts the spans of several services into one trace, under their parents', () => {
    const store = new TraceStore();
    store.add(readSpans(body('records', [{ id: 'c', parent: 'b', at: 2, status: 2 }])));
    store.add(readSpans(body('gateway', [{ id: 'a', at: 0, name: 'GET /exports' }, { id: 'b', parent: 'a', at: 1 }, { id: 'd', parent: 'a', at: 3 }]))); // prettier-ignore
    expect(store.latest()).toMatchObject([{ traceId: 't1', spans: 4, services: ['gateway', 'records'], failed: true, root: { name: 'GET /exports', durationMs: 5 } }]); // prettier-ignore
    expect(inOrder(store.get('t1')).map(({ span, depth }) => `${span.spanId}${depth}`)).toEqual(['a0', 'b1', 'c2', 'd1']);
  });

  it('shows what comes without its parent', () => {
    const spans = readSpans(body('records', [{ id: 'c', parent: 'elsewhere', at: 2 }]));
    expect(inOrder(spans)).toHaveLength(1);
    expect(tracePage('t1', spans)).toContain('>c<');
  });

  it('keeps the last 500, the newest first', () => {
    const store = new TraceStore();
    for (let at = 0; at < 600; at++) store.add(readSpans(body('gateway', [{ trace: `t${at}`, id: 'a', at }])));
    expect(store.latest()).toHaveLength(500);
    expect(store.latest()[0]?.traceId).toBe('t599');
    expect(store.get('t0')).toEqual([]);
  });

  it('takes an empty request', () => {
    expect(readSpans('{}')).toEqual([]);
  });
});

describe('pages of traces', () => {
  it('show names as text', () => {
    const store = new TraceStore();
    store.add(readSpans(body('<b>', [{ id: 'a', at: 0, name: '<script>alert("x")</script>' }])));
    for (const page of [tracesPage(store.latest()), tracePage('t1', store.get('t1'))]) {
      expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)');
      expect(page).not.toContain('<script');
    }
  });
});
