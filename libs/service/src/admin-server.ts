import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { metrics, type ObservableResult } from '@opentelemetry/api';
import { ownTimeLimit, type Logger } from '@stechuhr/kernel';
import { identityFromEnvironment } from './config.js';
import { releasePort } from './held-ports.js';
import { observeCertificates } from './observe-certificates.js';
import { answerMetrics } from './prometheus.js';

/** Checks a dependency. It counts as available if the promise resolves within 2 s. */
export type ReadinessCheck = () => Promise<void>;

/** The options of {@link startAdminServer}. */
export interface AdminServerOptions {
  /** 0 selects any free port. */
  readonly port: number;
  /** `127.0.0.1` on a shared machine, `0.0.0.0` in a container, where probes and scrapes come from outside. */
  readonly host: string;
  /** Checks by the name that `/readyz` shows. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly logger: Logger;
}

/** The HTTP server for operators: `/healthz` (liveness), `/readyz` (dependencies), `/metrics` (Prometheus text format). */
export interface AdminServer {
  readonly port: number;
  /** Sets whether the service itself accepts work; initially false. */
  setReady(ready: boolean): void;
  stop(): Promise<void>;
}

const CHECK_TIMEOUT_MS = 2_000;

const reachable = metrics.getMeter('@stechuhr/service').createObservableGauge('stechuhr.dependency.reachable', {
  description: 'Whether a dependency is available, as reported by `/readyz`: 1 or 0.',
});

/** Starts the HTTP server for operators. */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  let ready = false;
  const readiness = async () => ({ ...(ready ? {} : { service: 'not ready' }), ...(await failuresOf(options.checks)) });
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') answer(response, 200, { status: 'ok' });
    else if (path === '/readyz') void readiness().then((failures) => answerReadiness(response, failures));
    else if (path === '/metrics') answerMetrics(request, response);
    else answer(response, 404, { detail: 'Not found.' });
  });
  releasePort(`${options.host}:${String(options.port)}`);
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const observed = [observeDependencies(options.checks), observeCertificates(identityFromEnvironment().tlsFolder)];
  return {
    port: portOf(server),
    setReady: (value) => void (ready = value),
    async stop() {
      for (const unobserve of observed) unobserve();
      await close(server);
    },
  };
}

/**
 * Reports the state of the dependencies whenever metrics are read. This matters for the gateway: when its dependencies are unavailable, it
 * is not ready and receives no requests, so no failed requests are counted, and this metric is the only sign that alerts can use.
 */
function observeDependencies(checks: AdminServerOptions['checks']): () => void {
  const observe = async (result: ObservableResult): Promise<void> => {
    const failures = await failuresOf(checks);
    for (const dependency of Object.keys(checks)) result.observe(dependency in failures ? 0 : 1, { dependency });
  };
  reachable.addCallback(observe);
  return () => reachable.removeCallback(observe);
}

/**
 * Runs all checks concurrently.
 *
 * @returns the name and reason of each failed check. Driver messages contain host names at most, and the port is only for operators.
 */
async function failuresOf(checks: Readonly<Record<string, ReadinessCheck>>): Promise<Record<string, string>> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const reason = await failureOf(check);
      return reason === undefined ? [] : [[name, reason] as const];
    }),
  );
  return Object.fromEntries(outcomes.flat());
}

async function failureOf(check: ReadinessCheck): Promise<string | undefined> {
  const limit = ownTimeLimit(CHECK_TIMEOUT_MS);
  const tooSlow = once(limit, 'abort').then(() => Promise.reject(limit.reason as Error));
  const outcome = async () => {
    await check();
    return undefined;
  };
  try {
    return await Promise.race([outcome(), tooSlow]);
  } catch (caught) {
    return caught instanceof Error ? caught.message : String(caught);
  } finally {
    tooSlow.catch(() => undefined);
  }
}

function answerReadiness(response: ServerResponse, failures: Record<string, string>): void {
  const ready = Object.keys(failures).length === 0;
  answer(response, ready ? 200 : 503, ready ? { status: 'ready' } : { status: 'not ready', failures });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The admin server listens on no port.');
  return address.port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
