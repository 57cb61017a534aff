import { describe, expect, it } from '@jest/globals';
import { answerJaeger, toJaeger } from './jaeger.js';
import { readSpans, TraceStore } from './trace-store.js';

interface SpanInput {
  readonly trace?: string;
  readonly id: string;
  readonly parent?: string;
  readonly name?: string;
  /** Milliseconds after the start of the trace. */
  readonly at: number;
  readonly status?: number;
  readonly more?: object;
}

const BEGAN_NS = 1_800_000_000_000_000_000n;
const BEGAN_US = 1_800_000_000_000_000;

/** A request body as a service sends it; each span takes 5 ms. */
function body(service: string, spans: readonly SpanInput[]): string {
  const attributes = [{ key: 'service.name', value: { stringValue: service } }];
  const otlp = spans.map(({ trace = 't1', id, parent, name = id, at, status = 0, more }) => ({
    traceId: trace,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    startTimeUnixNano: String(BEGAN_NS + BigInt(at) * 1_000_000n),
    endTimeUnixNano: String(BEGAN_NS + BigInt(at + 5) * 1_000_000n),
    status: { code: status },
    ...more,
  }));
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 's' }, spans: otlp }] }] });
}

function storeOf(...bodies: readonly string[]): TraceStore {
  const store = new TraceStore();
  for (const each of bodies) store.add(readSpans(each));
  return store;
}

describe('TraceStore', () => {
  it('groups the spans of several services by trace', () => {
    const store = storeOf(body('records', [{ id: 'c', parent: 'b', at: 2 }]), body('gateway', [{ id: 'a', at: 0 }]));
    expect(store.get('t1').map(({ service, spanId }) => [service, spanId])).toEqual([
      ['records', 'c'],
      ['gateway', 'a'],
    ]);
  });

  it('keeps the last 500 traces, the newest first', () => {
    const store = new TraceStore();
    for (let at = 0; at < 600; at++) store.add(readSpans(body('gateway', [{ trace: `t${at}`, id: 'a', at }])));
    expect(store.all()).toHaveLength(500);
    expect(store.all()[0]?.[0]?.traceId).toBe('t599');
    expect(store.get('t0')).toEqual([]);
  });

  it('accepts an empty request', () => {
    expect(readSpans('{}')).toEqual([]);
  });
});

describe('toJaeger', () => {
  it('converts spans with times in microseconds, parents, tags, logs and links', () => {
    const more = {
      kind: 3,
      attributes: [
        { key: 'rows', value: { intValue: '12' } },
        { key: 'ok', value: { boolValue: false } },
        { key: 'names', value: { arrayValue: { values: [{ stringValue: 'x' }, { stringValue: 'y' }] } } },
      ],
      events: [{ timeUnixNano: String(BEGAN_NS + 3_000_000n), name: 'exception', attributes: [{ key: 'message', value: { stringValue: 'no' } }] }], // prettier-ignore
      links: [{ traceId: 't0', spanId: 'z' }],
      status: { code: 2, message: 'unavailable' },
    };
    const store = storeOf(body('gateway', [{ id: 'a', at: 0 }]), body('records', [{ id: 'b', parent: 'a', name: 'find', at: 2, more }]));
    expect(toJaeger(store.get('t1'))).toEqual({
      traceID: 't1',
      spans: [
        { traceID: 't1', spanID: 'a', operationName: 'a', references: [], startTime: BEGAN_US, duration: 5000, tags: [], logs: [], processID: 'p0', warnings: null }, // prettier-ignore
        {
          traceID: 't1',
          spanID: 'b',
          operationName: 'find',
          references: [
            { refType: 'CHILD_OF', traceID: 't1', spanID: 'a' },
            { refType: 'FOLLOWS_FROM', traceID: 't0', spanID: 'z' },
          ],
          startTime: BEGAN_US + 2000,
          duration: 5000,
          tags: [
            { key: 'rows', type: 'float64', value: 12 },
            { key: 'ok', type: 'bool', value: false },
            { key: 'names', type: 'string', value: '["x","y"]' },
            { key: 'span.kind', type: 'string', value: 'client' },
            { key: 'error', type: 'bool', value: true },
            { key: 'otel.status_description', type: 'string', value: 'unavailable' },
          ],
          logs: [
            {
              timestamp: BEGAN_US + 3000,
              fields: [
                { key: 'event', type: 'string', value: 'exception' },
                { key: 'message', type: 'string', value: 'no' },
              ],
            },
          ],
          processID: 'p1',
          warnings: null,
        },
      ],
      processes: {
        p0: { serviceName: 'gateway', tags: [{ key: 'service.name', type: 'string', value: 'gateway' }] },
        p1: { serviceName: 'records', tags: [{ key: 'service.name', type: 'string', value: 'records' }] },
      },
      warnings: null,
    });
  });
});

describe('answerJaeger', () => {
  const status = { attributes: [{ key: 'http.response.status_code', value: { intValue: 503 } }] };
  const store = storeOf(
    body('gateway', [{ trace: 'aa', id: 'a', name: 'GET /exports', at: 0 }]),
    body('gateway', [{ trace: 'bb', id: 'a', name: 'GET /tokens', at: 1000, more: status }]),
    body('records', [{ trace: 'bb', id: 'b', parent: 'a', name: 'find', at: 1001 }]),
  );
  const ask = (path: string, query = ''): unknown => answerJaeger(path, new URLSearchParams(query), store);
  const found = (query: string): string[] =>
    (ask('/api/traces', query) as { data: { traceID: string }[] }).data.map(({ traceID }) => traceID);

  it('lists services and their operations', () => {
    expect(ask('/api/services')).toEqual({ data: ['gateway', 'records'], total: 2, errors: null });
    expect(ask('/api/services/gateway/operations')).toMatchObject({ data: ['GET /exports', 'GET /tokens'] });
    expect(ask('/api/operations', 'service=records')).toMatchObject({ data: [{ name: 'find', spanKind: '' }] });
  });

  it.each([
    ['', ['bb', 'aa']],
    ['limit=1', ['bb']],
    ['service=gateway&lookback=1h', ['bb', 'aa']],
    ['service=records', ['bb']],
    ['service=gateway&operation=GET%20%2Fexports', ['aa']],
    ['service=gateway&operation=find', []],
    [`start=${BEGAN_US + 1}`, ['bb']],
    [`end=${BEGAN_US + 1}`, ['aa']],
    ['minDuration=5ms', ['bb', 'aa']],
    ['minDuration=5001us', []],
    ['maxDuration=0.005s', ['bb', 'aa']],
    ['maxDuration=soon', []],
    ['tags=%7B%22http.response.status_code%22%3A%22503%22%7D', ['bb']],
    ['traceID=aa&traceID=none', ['aa']],
  ])('finds traces by "%s"', (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it('returns a trace by its id, and undefined for unknown traces and paths', () => {
    expect(ask('/api/traces/BB')).toMatchObject({ data: [{ traceID: 'bb', spans: [{ spanID: 'a' }, { spanID: 'b' }] }] });
    for (const path of ['/api/traces/cc', '/api/dependencies', '/api/']) expect(ask(path)).toBeUndefined();
  });
});
