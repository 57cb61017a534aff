import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownTime, waitFor } from '@stechuhr/testing';
import { RUN_STALL_MS } from '@stechuhr/service';
import { IDLE_MS, startHttpServer } from '../src/http-server.js';
import { exportOf } from './support/backends.js';
import { call, open } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = (await gateway.issue()).token;
});
afterAll(() => gateway.stop());

/** An export whose second half is sent when it is released. */
function halves() {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const chunks = async function* () {
    yield 'first ';
    await gate;
    yield 'second';
  };
  return { chunks, release };
}

describe('timeouts', () => {
  // The idle time of the socket starts earlier: when the request has arrived.
  it('answer for a silent service before the connection is closed', () => {
    expect(IDLE_MS).toBeGreaterThanOrEqual(RUN_STALL_MS + 10_000);
  });

  // Go's HTTP client, and so Traefik, keeps idle connections for 90 s.
  it('keep a connection longer than a proxy does, so that the proxy never sends into a closing connection', async () => {
    const server = await startHttpServer({ host: '127.0.0.1', port: 0, listener: (_, response) => void response.end() });
    const { headers } = await fetch(`http://127.0.0.1:${server.port}`, { headers: { connection: 'keep-alive' } });
    const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(90);
    await server.stop({ totalMs: 100, silentMs: 100 });
  });
});

describe('stopping', () => {
  it('accepts no connections, reports not ready, and finishes running responses', async () => {
    const other = await gateway.another();
    const { chunks, release } = halves();
    gateway.backends.runExport = () => exportOf(chunks());
    const response = await open(other.httpPort, '/api/v2/exports/generic/', { token });
    const stopped = other.stop();
    const refused = (caught: unknown) => (caught as { readonly code?: string }).code === 'ECONNREFUSED';
    await waitFor(() => call(other.httpPort, '/healthz').then(() => false, refused));
    expect(await call(other.adminPort, '/readyz')).toMatchObject({ status: 503 });
    release();
    expect(await text(response)).toBe('first second');
    await stopped;
    await expect(call(other.adminPort, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('does not wait for idle connections', async () => {
    const other = await gateway.another();
    const agent = new Agent({ keepAlive: true });
    const request = httpRequest({ host: '127.0.0.1', port: other.httpPort, path: '/healthz', agent }).end();
    const [response] = await once(request, 'response');
    await text(response);
    const silent = connect(other.httpPort, '127.0.0.1');
    await once(silent, 'connect');
    expect(await ownTime(() => other.stop())).toBeLessThan(5_000);
    agent.destroy();
    silent.destroy();
  });

  it('answers a request that was in transit, as the last of its connection', async () => {
    const server = await startHttpServer({ host: '127.0.0.1', port: 0, listener: (_, response) => void response.end('first') });
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
    const ask = async () => {
      socket.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
      return String(await once(socket, 'data'));
    };
    expect(await ask()).toContain('Connection: keep-alive');
    const stopped = server.stop({ totalMs: 10_000, silentMs: 10_000 });
    expect(await ask()).toContain('Connection: close');
    await stopped;
  });

  it.each([
    ['is silent for too long', { totalMs: 60_000, silentMs: 100 }],
    ['still runs after the grace', { totalMs: 100, silentMs: 60_000 }],
  ])('aborts a response that %s, so that no client takes it for complete', async (_, grace) => {
    const server = await startHttpServer({ host: '127.0.0.1', port: 0, listener: (_, response) => void response.write('first ') });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket, 'end');
    await Promise.all([server.stop(grace), expect(ended).rejects.toMatchObject({ code: 'ECONNRESET' })]);
  });

  it('lets a download continue as long as bytes flow', async () => {
    const silentMs = 1_000;
    const chunks = 15;
    const server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      listener: (_, response) => {
        let sent = 0;
        const send = setInterval(() => {
          sent += 1;
          if (sent <= chunks) response.write('x');
          else response.end(() => clearInterval(send));
        }, silentMs / 5);
      },
    });
    const [response] = await once(httpRequest({ host: '127.0.0.1', port: server.port }).end(), 'response');
    const stopped = server.stop({ totalMs: 60_000, silentMs });
    expect(await text(response)).toHaveLength(chunks);
    await stopped;
  });

  it('lets a download continue after the process did not run for a while', async () => {
    const silentMs = 1_000;
    let send: () => void = () => undefined;
    const server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      listener: (_, response) => {
        response.write('first ');
        send = () => response.end('second');
      },
    });
    const [response] = await once(httpRequest({ host: '127.0.0.1', port: server.port }).end(), 'response');
    const stopped = server.stop({ totalMs: 60_000, silentMs });
    const until = performance.now() + 2 * silentMs;
    while (performance.now() < until);
    setTimeout(() => send(), silentMs / 2);
    expect(await text(response)).toBe('first second');
    await stopped;
  });
});
