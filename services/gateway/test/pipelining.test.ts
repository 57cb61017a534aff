import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { startHttpServer, type HttpServer } from '../src/http-server.js';

const LARGE = `X-Padding: ${'x'.repeat(60_000)}\r\n`;

let server: HttpServer;
let socket: Socket;
afterEach(async () => {
  socket.destroy();
  await server.stop({ totalMs: 1_000, silentMs: 1_000 });
});

/** Sends requests for `/0`, `/1` … together, before the first response. Some may have headers of their own. */
async function pipeline(count: number, listener: RequestListener, headers: Readonly<Record<string, string>> = {}): Promise<Socket> {
  server = await startHttpServer({ host: '127.0.0.1', port: 0, listener });
  socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  const paths = Array.from({ length: count }, (_, at) => `/${String(at)}`);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: gateway\r\n${headers[path] ?? ''}\r\n`).join(''));
  return socket;
}

/** Returns the server of the next request, which gives its clients hardly any time to send a request. */
async function impatientServer(): Promise<Server> {
  const { promise, resolve } = Promise.withResolvers<Server>();
  const take = (event: unknown): void => resolve((event as { readonly server: Server }).server);
  subscribe('http.server.request.start', take);
  const taken = await promise;
  unsubscribe('http.server.request.start', take);
  return Object.assign(taken, { headersTimeout: 1, requestTimeout: 1 });
}

describe('pipelined requests', () => {
  it('are answered one after the other, in order', async () => {
    let running = 0;
    let most = 0;
    const client = await pipeline(3, async ({ url = '' }, response) => {
      most = Math.max(most, ++running);
      await setImmediate();
      running -= 1;
      response.end(`answer ${url}\n`);
    });
    let received = '';
    client.on('data', (text: string) => void (received += text));
    await waitFor(() => received.includes('answer /2'));
    expect(received.match(/answer .*/g)).toEqual(['answer /0', 'answer /1', 'answer /2']);
    expect(most).toBe(1);
  });

  it('do not use memory for responses that are not read', async () => {
    const begun: (string | undefined)[] = [];
    const client = await pipeline(50, ({ url }, response) => {
      begun.push(url);
      response.end(Buffer.alloc(32 * 1024 * 1024));
    });
    client.pause();
    await waitFor(() => begun.length > 0);
    expect((await fetch(`http://127.0.0.1:${String(server.port)}/other`)).status).toBe(200);
    expect(begun).toEqual(['/0', '/other']);
  });

  it('end the connection if the body of a waiting one is broken, without corrupting the response before it', async () => {
    const client = await pipeline(1, (_, response) => void response.write('first '));
    let received = '';
    client.on('data', (text: string) => void (received += text));
    await waitFor(() => received.includes('first'));
    client.write('POST /1 HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n');
    await expect(once(client, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(received).not.toContain('400');
  });

  it('end the connection if there are too many', async () => {
    const begun: (string | undefined)[] = [];
    const client = await pipeline(1_000, ({ url }) => void begun.push(url));
    await expect(once(client, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(begun).toEqual(['/0']);
  });

  it('end the connection if they are large together', async () => {
    let taken = 0;
    const take = (): void => void (taken += 1);
    subscribe('http.server.request.start', take);
    const client = await pipeline(
      10,
      () => undefined,
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`/${String(at)}`, LARGE])),
    );
    let isReset = false;
    client.on('error', () => (isReset = true));
    await waitFor(() => isReset || taken === 10);
    unsubscribe('http.server.request.start', take);
    expect({ isReset, isHeld: taken === 10 }).toEqual({ isReset: true, isHeld: false });
  });

  it('may be large if only few wait', async () => {
    const client = await pipeline(2, ({ url = '' }, response) => void setImmediate().then(() => response.end(`answer ${url}\n`)));
    let received = '';
    client.on('data', (text: string) => void (received += text));
    // Another one follows each answer, so that one always waits.
    for (let sent = 2; sent < 12; sent += 1) {
      client.write(`GET /${String(sent)} HTTP/1.1\r\nHost: gateway\r\n${LARGE}\r\n`);
      await waitFor(() => received.includes(`answer /${String(sent - 2)}\n`));
    }
    await waitFor(() => received.includes('answer /11'));
  });

  it.each([
    ['the client', 'Connection: close\r\n', {}],
    ['the server', '', { Connection: 'close' }],
  ])('are not handled behind the one with which %s closes the connection', async (_who, sent, answered) => {
    const begun: (string | undefined)[] = [];
    const client = await pipeline(
      3,
      ({ url = '' }, response) => {
        begun.push(url);
        response.writeHead(200, url === '/1' ? answered : {}).end(`answer ${url}\n`);
      },
      { '/1': sent },
    );
    let received = '';
    client.on('data', (text: string) => void (received += text));
    await once(client, 'close');
    expect(received.match(/answer .*/g)).toEqual(['answer /0', 'answer /1']);
    expect(begun).toEqual(['/0', '/1']);
  });

  it('may wait for longer than a request may take to arrive, and have their time when it is their turn', async () => {
    const impatient = impatientServer();
    const ends: (() => void)[] = [];
    const client = await pipeline(1, async (request, response) => {
      if (request.url === '/0') ends.push(() => response.end('first\n'));
      else response.end(`${String((await text(request)).length)} bytes\n`);
    });
    const node = await impatient;
    const late = once(node, 'clientError');
    let received = '';
    let isReset = false;
    client.on('data', (part: string) => void (received += part)).on('error', () => (isReset = true));
    // More than is read of a body that nobody has asked for.
    client.write(`POST /1 HTTP/1.1\r\nHost: gateway\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`);
    await late;
    node.requestTimeout = 30_000;
    for (const end of ends) end();
    await waitFor(() => client.closed || received.includes('200000 bytes'));
    expect([isReset, received.includes('first')]).toEqual([false, true]);
  });

  it('are refused if they do not arrive in time then', async () => {
    const impatient = impatientServer();
    const ends: (() => void)[] = [];
    const client = await pipeline(1, async (request, response) => {
      if (request.url === '/0') ends.push(() => response.end('first\n'));
      else await text(request).catch(() => undefined);
    });
    const late = once(await impatient, 'clientError');
    let received = '';
    client.on('data', (part: string) => void (received += part));
    client.write('POST /1 HTTP/1.1\r\nHost: gateway\r\nContent-Length: 200000\r\n\r\nx');
    await late;
    for (const end of ends) end();
    await once(client, 'close');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408']);
  });
});
