import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFairShares } from '@stechuhr/kernel';
import { waitFor } from '@stechuhr/testing';
import { startHttpServer, type HttpServer } from '../src/http-server.js';
import { answerOf } from '../src/http/answers.js';
import { HELD_BYTES } from '../src/http/held-bytes.js';
import { readJsonBody } from '../src/middleware/json-body.js';
import { call } from './support/http.js';

const shares = createFairShares(HELD_BYTES);
const JSON_TYPE = { 'content-type': 'application/json' };

let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    listener: (request, response) => {
      void readJsonBody({ request, held: shares.open('a'), confirmCaller: () => Promise.resolve() }).then(
        (text) => response.end(JSON.stringify({ text })),
        (caught: unknown) => {
          const { status, headers, body } = answerOf(caught);
          response.writeHead(status, headers).end(JSON.stringify(body));
        },
      );
    },
  });
});
afterAll(() => server.stop({ totalMs: 1_000, silentMs: 1_000 }));

const send = (body: string | Buffer | string[], headers: Readonly<Record<string, string>> = JSON_TYPE) =>
  call(server.port, '/', { method: 'POST', headers, body });

describe('a JSON body', () => {
  it.each<[string, string | Buffer | string[], Record<string, string>, string]>([
    ['as it is', '{"a": 1.50}', JSON_TYPE, '{"a": 1.50}'],
    ['with parameters of its type', '[]', { 'content-type': 'Application/JSON; charset="UTF-8"' }, '[]'],
    ['with a semicolon in a parameter', '1', { 'content-type': 'application/json; profile="https://example.com/;charset=x"' }, '1'],
    ['without its byte order mark', Buffer.from('\uFEFF{"a": "ä"}'), JSON_TYPE, '{"a": "ä"}'],
    ['in the identity encoding', '1', { ...JSON_TYPE, 'content-encoding': 'identity' }, '1'],
    ['that is empty, as an empty object', '', JSON_TYPE, '{}'],
    ['that is empty, whatever its type', '', { 'content-type': 'text/plain' }, '{}'],
    ['that comes in chunks', ['{"a":', ' 1}'], JSON_TYPE, '{"a": 1}'],
    ['of exactly 1 MiB', `"${'x'.repeat(1_048_574)}"`, JSON_TYPE, `"${'x'.repeat(1_048_574)}"`],
  ])('is read %s', async (_, body, headers, text) => {
    expect(await send(body, headers)).toMatchObject({ status: 200, json: { text } });
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=iso-8859-1', {}],
    ['application/json; profile=";"; charset=iso-8859-1', {}],
    ['json', {}],
    ['', {}],
  ])('of type %j is 415', async (contentType, more) => {
    expect(await send('{}', { 'content-type': contentType, ...more })).toMatchObject({
      status: 415,
      json: { detail: `Unsupported media type "${contentType}" in request.` },
    });
  });

  it('that is compressed leads to 415', async () => {
    expect(await send(gzipSync('{}'), { ...JSON_TYPE, 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
  });

  it.each<[string, string | Buffer]>([
    ['broken', '{"a": }'],
    ['cut off', '{"a": 1'],
    ['blank', ' '],
    ['no JSON', 'NaN'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('that is %s is 400', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 400, json: { detail: expect.stringMatching(/^JSON parse error - ./) } });
  });

  it('that is broken at a character of two halves is answered in Unicode', async () => {
    const { json } = await send('{"a": 🏗}');
    expect((json as { readonly detail: string }).detail.isWellFormed()).toBe(true);
  });

  it.each<[string, string | string[], Record<string, string>]>([
    ['a byte more than 1 MiB', `"${'x'.repeat(1_048_575)}"`, JSON_TYPE],
    ['too much of another type', 'x'.repeat(2_000_000), { 'content-type': 'text/plain' }],
    ['too much in chunks', ['x'.repeat(1_000_000), 'x'.repeat(1_000_000)], JSON_TYPE],
  ])('of %s is 413', async (_, body, headers) => {
    const answer = await send(body, headers);
    expect(answer).toMatchObject({ status: 413, json: { detail: 'Request entity too large.' } });
    expect(answer.headers.connection).toBe('close');
  });

  it('that is announced as huge is rejected before it is sent', async () => {
    const headers = { ...JSON_TYPE, 'content-length': '10000000000', expect: '100-continue' };
    expect(await call(server.port, '/', { method: 'POST', headers })).toMatchObject({ status: 413 });
  });
});

describe('a client that waits with the body', () => {
  const EXPECT = 'Expect: 100-continue\r\n';
  const post = (length: number, more = '') =>
    `POST / HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\nContent-Length: ${String(length)}\r\n${more}\r\n`;

  it('is asked for it, and may use the connection again', async () => {
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text: string) => void (received += text));
    socket.write(post(2, EXPECT));
    await waitFor(() => received.includes('HTTP/1.1 100 Continue\r\n\r\n'));
    expect(received).not.toContain('200');
    socket.write(`[]${post(1)}7`);
    await waitFor(() => received.includes('{"text":"7"}'));
    expect(received).toContain('{"text":"[]"}');
    socket.destroy();
  });

  it.each([
    ['is not asked for one that is too large', post(1_048_577, EXPECT), 'HTTP/1.1 413'],
    ['may ask for the connection to be closed', `${post(1, `${EXPECT}Connection: close\r\n`)}7`, '{"text":"7"}'],
  ])('%s', async (_, request, expected) => {
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text: string) => void (received += text));
    socket.write(request);
    // The server ends the connection.
    await once(socket, 'end');
    expect(received).toContain(expected);
    expect(received.includes('100 Continue')).toBe(!request.includes('1048577'));
  });
});
