import type { Span, TraceSummary } from './trace-store.js';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? character);
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const time = (startMs: number): string => new Date(startMs).toLocaleTimeString('de-DE');

const STYLE = `body{font:14px system-ui,sans-serif;margin:1.5rem;color:#222}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #eee;white-space:nowrap}a{color:#0b5cad;text-decoration:none}
.bar{position:relative;min-width:40vw}.bar i{position:absolute;top:25%;height:50%;min-width:2px;background:#5b8def;border-radius:2px}
.failed i{background:#c62828}.failed{color:#c62828}small{color:#666}`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title><style>${STYLE}</style>
<p><a href="/">Dashboards</a> · <a href="/traces">Traces</a></p><h1>${escape(title)}</h1>${body}</html>`;
}

/** The last traces, a line each. */
export function tracesPage(traces: readonly TraceSummary[]): string {
  const rows = traces.map(
    ({ traceId, root, spans, services, failed }) =>
      `<tr class="${failed ? 'failed' : ''}"><td>${time(root.startMs)}<td><a href="/traces/${encodeURIComponent(traceId)}">${escape(root.name)}</a>` +
      `<td>${ms(root.durationMs)}<td>${spans}<td>${escape(services.join(', '))}`,
  );
  const hint = '<p><small>The last 500. A line of a log carries its trace as <code>trace_id</code>: /traces/&lt;trace_id&gt;</small></p>';
  return page('Traces', `${hint}<table><tr><th>began<th>what<th>took<th>spans<th>services${rows.join('')}</table>`);
}

/** One trace: each span under its parent, with its time. */
export function tracePage(traceId: string, spans: readonly Span[]): string {
  const start = Math.min(...spans.map(({ startMs }) => startMs));
  const end = Math.max(...spans.map(({ startMs, durationMs }) => startMs + durationMs));
  const share = (value: number): string => `${((value / Math.max(end - start, 0.001)) * 100).toFixed(2)}%`;
  const rows = inOrder(spans).map(({ span, depth }) => {
    const bar = `<i style="left:${share(span.startMs - start)};width:${share(span.durationMs)}"></i>`;
    return (
      `<tr class="${span.failed ? 'failed' : ''}"><td style="padding-left:${depth + 0.6}rem">${escape(span.name)}` +
      `<td><small>${escape(span.service)}</small><td>${ms(span.durationMs)}<td class="bar">${bar}`
    );
  });
  return page(`Trace ${traceId}`, `<table><tr><th>span<th>service<th>took<th>${ms(end - start)} in all${rows.join('')}</table>`);
}

/** Children follow their parents, as they began; those whose parent is not there stand at the top. */
export function inOrder(spans: readonly Span[]): { readonly span: Span; readonly depth: number }[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const children = Map.groupBy(spans, ({ parentSpanId }) => (known.has(parentSpanId) ? parentSpanId : ''));
  const under = (parent: string, depth: number): { span: Span; depth: number }[] =>
    (children.get(parent) ?? []).flatMap((span) => [{ span, depth }, ...under(span.spanId, depth + 1)]);
  return under('', 0);
}
