import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { vmuiDashboards } from './dashboards.js';
import { answerJaeger } from './jaeger.js';
import { PageFiles, type Answer } from './page-files.js';
import { readSpans, TraceStore } from './trace-store.js';
import type { Viewers } from './viewers.js';

/** Pages may load nothing from other hosts: they have to work offline, and must not disclose what they show. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ');

const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const plain = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: `${body}\n`,
});
const notFound = plain(404, 'There is no such page.');

/** What the server has to know about the platform. */
export interface ViewedPlatform {
  /** URL of Prometheus, which may not have started yet. */
  readonly prometheus: string;
  readonly services: readonly string[];
}

/** A server for this machine only that receives the spans of the services and serves the pages of two viewers. */
export interface ViewerServer {
  /** `http://host:port`. Jaeger's pages are at `/`, vmui is at `/vmui/`, and OTLP/JSON traces are accepted at `/v1/traces`. */
  readonly url: string;
  /** Serves the pages from now on. */
  show(viewers: Viewers): void;
  /** Answers requests for pages with the reason why there are none. */
  showNothing(reason: string): void;
  stop(): Promise<void>;
}

/** Starts the server. The query API for traces works immediately; pages are served once they are downloaded. */
export async function startViewerServer(port: number, platform: ViewedPlatform): Promise<ViewerServer> {
  const store = new TraceStore();
  const dashboardsSettings = vmuiDashboards(platform.services);
  let pages: (path: string) => Answer = () =>
    plain(503, 'The pages are being downloaded. This page reloads until they are there.', { refresh: '3' });

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://here');
    if (request.method === 'POST' && pathname === '/v1/traces') {
      store.add(readSpans(await text(request)));
      return json({});
    }
    if (pathname.startsWith('/api/v1/')) return askPrometheus(`${platform.prometheus}${pathname}${search}`, request);
    if (pathname.startsWith('/api/')) {
      const found = answerJaeger(pathname, searchParams, store);
      return found === undefined ? json({ data: null, errors: [{ code: 404, msg: 'not found' }] }, 404) : json(found);
    }
    if (pathname === '/vmui/custom-dashboards') return json({ dashboardsSettings });
    if (pathname === '/vmui/timezone') return json({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    return pages(pathname);
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown): Answer => plain(400, String(error)))
      .then(
        ({ status, headers, body }) => {
          response.writeHead(status, { 'cache-control': 'no-store', 'content-security-policy': POLICY, ...headers }).end(body);
        },
        () => response.destroy(),
      );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // If starting the platform fails, the server must not keep the process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    show: (viewers) => {
      pages = pagesOf(viewers, platform.prometheus);
    },
    showNothing: (reason) => {
      pages = () => plain(503, reason);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Forwards a request to Prometheus, which has the same paths: the pages can send requests only to their own server. */
async function askPrometheus(url: string, request: IncomingMessage): Promise<Answer> {
  const { method = 'GET', headers } = request;
  const type = headers['content-type'] ?? 'application/x-www-form-urlencoded';
  const body = method === 'POST' ? { body: await text(request), headers: { 'content-type': type } } : {};
  try {
    const answer = await fetch(url, { method, ...body });
    const contentType = answer.headers.get('content-type') ?? 'application/json';
    return { status: answer.status, headers: { 'content-type': contentType }, body: await answer.text() };
  } catch {
    return json({ status: 'error', errorType: 'unavailable', error: 'Prometheus does not answer (yet)' }, 503);
  }
}

function pagesOf({ vmui, jaeger }: Viewers, prometheus: string): (path: string) => Answer {
  const [metrics, traces] = [new PageFiles(vmui), new PageFiles(jaeger, true)];
  const start = jaegerStart(traces.text('index.html'), prometheus);
  return (path) => {
    if (path === '/vmui') return plain(302, 'at /vmui/', { location: '/vmui/' });
    const [, ofVmui] = /^\/vmui\/(.*)$/.exec(path) ?? [];
    if (ofVmui !== undefined) return metrics.answer(ofVmui || 'index.html') ?? notFound;
    if (/^\/($|search$|trace\/)/.test(path)) return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: start };
    return traces.answer(path.slice(1)) ?? notFound;
  };
}

/** Inserts the settings into Jaeger's start page, in the place where Jaeger's own server would insert them. */
function jaegerStart(page: string, prometheus: string): string {
  const settings = {
    dependencies: { menuEnabled: false },
    monitor: { menuEnabled: false },
    archiveEnabled: false,
    menu: [
      { label: 'Dashboards', url: '/vmui/#/dashboards', anchorTarget: '_self' },
      { label: 'Prometheus', url: prometheus, anchorTarget: '_self' },
    ],
  };
  return page.replace('const JAEGER_CONFIG = DEFAULT_CONFIG;', () => `const JAEGER_CONFIG = ${JSON.stringify(settings)};`);
}
