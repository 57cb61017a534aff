import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { dashboard, dashboardNames } from './dashboards.js';
import { tracePage, tracesPage } from './trace-page.js';
import { readSpans, TraceStore } from './trace-store.js';

const PAGE = fileURLToPath(new URL('../../../observability/page/dashboards.html', import.meta.url));

/** What an address answers. */
interface Answer {
  readonly status: number;
  readonly type: 'text/html' | 'application/json' | 'text/plain';
  readonly body: string;
}

const html = (body: string): Answer => ({ status: 200, type: 'text/html', body });
const json = (value: unknown): Answer => ({ status: 200, type: 'application/json', body: JSON.stringify(value) });
const notFound: Answer = { status: 404, type: 'text/plain', body: 'There is no such page (any more).\n' };

/** Dashboards and traces for people, on this machine alone. */
export interface PageServer {
  /** `http://host:port`; takes OTLP traces in JSON at `/v1/traces`, too. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves them; `prometheus` gives its address once there is one. */
export async function startPageServer(port: number, prometheus: () => string | undefined): Promise<PageServer> {
  const traces = new TraceStore();
  const server = createServer((request, response) => {
    answer(request, traces, prometheus)
      .catch((error: unknown): Answer => ({ status: 400, type: 'text/plain', body: `${String(error)}\n` }))
      .then(
        (found) => send(response, found),
        () => response.destroy(),
      );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // Where the start fails, nothing else keeps the process.
  server.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(request: IncomingMessage, traces: TraceStore, prometheus: () => string | undefined): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://here');
  if (request.method === 'POST' && pathname === '/v1/traces') {
    traces.add(readSpans(await text(request)));
    return json({});
  }
  if (pathname === '/') return prometheus() === undefined ? html(tracesPage(traces.latest())) : html(readFileSync(PAGE, 'utf8'));
  if (pathname === '/settings.json') return json({ prometheus: prometheus(), dashboards: dashboardNames() });
  if (pathname === '/traces') return html(tracesPage(traces.latest()));
  return byName(pathname, traces);
}

function byName(pathname: string, traces: TraceStore): Answer {
  const [, kind, name = ''] = /^\/(traces|dashboards)\/([\w-]+)/.exec(pathname) ?? [];
  if (kind === 'dashboards') {
    const body = dashboard(name);
    return body === undefined ? notFound : { status: 200, type: 'application/json', body };
  }
  const spans = traces.get(name);
  return spans.length === 0 ? notFound : html(tracePage(name, spans));
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body);
}
