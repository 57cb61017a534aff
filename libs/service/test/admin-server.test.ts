import { afterEach, describe, expect, it } from '@jest/globals';
import { startAdminServer, type AdminServer, type ReadinessCheck } from '@stechuhr/service';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const servers: AdminServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(checks: Record<string, ReadinessCheck>): Promise<AdminServer> {
  const server = await startAdminServer({ port: 0, host: '127.0.0.1', checks, logger: silent });
  servers.push(server);
  return server;
}

async function get(server: AdminServer, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  const text = await response.text();
  return { status: response.status, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text };
}

describe('the admin server', () => {
  it('is alive regardless of its dependencies', async () => {
    const server = await start({ mongodb: () => Promise.reject(new Error('unavailable')) });
    expect(await get(server, '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  });

  it('is ready only when the service has reported it', async () => {
    const server = await start({ mongodb: async () => undefined });
    expect(await get(server, '/readyz')).toEqual({ status: 503, body: { status: 'not ready', failures: { service: 'not ready' } } });
    server.setReady(true);
    expect(await get(server, '/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it('names dependencies that fail or do not answer in time', async () => {
    const hanging = new Promise<void>(() => undefined);
    const server = await start({
      mongodb: () => Promise.reject(new Error('no server')),
      nats: () => hanging,
      redis: async () => undefined,
    });
    server.setReady(true);
    expect(await get(server, '/readyz')).toEqual({
      status: 503,
      body: { status: 'not ready', failures: { mongodb: 'no server', nats: 'no answer within 2000 ms' } },
    });
  });

  it('responds to a scrape without telemetry, and to nothing else', async () => {
    const server = await start({});
    expect(await get(server, '/metrics')).toMatchObject({ status: 200 });
    expect(await get(server, '/')).toMatchObject({ status: 404 });
  });
});
