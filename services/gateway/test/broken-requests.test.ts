import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { startTestGateway, type TestGateway } from './support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Sends bytes that no HTTP client would send, and returns everything received until the connection ends. */
async function send(raw: string): Promise<string> {
  const socket = connect(gateway.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(raw);
  return text(socket);
}

/** Returns the last response of a connection. */
function answerOf(received: string) {
  const [head = '', body = ''] = received.slice(received.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]));
  return { status: Number(first.split(' ')[1]), headers, body: JSON.parse(body) as unknown };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HOST = 'Host: gateway\r\n';
const UNENCODED = 'The request is not valid HTTP. In an address, letters such as ü and spaces have to be percent-encoded (%C3%BC, %20).';

describe('an invalid request', () => {
  it.each<[string, string, number, string]>([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400, 'The request is not valid HTTP.'],
    ['a method that does not exist', `FETCH / HTTP/1.1\r\n${HOST}\r\n`, 400, 'The request is not valid HTTP.'],
    ['an umlaut in the address', `GET /?q=Müller HTTP/1.1\r\n${HOST}\r\n`, 400, UNENCODED],
    ['a space in the address', `GET /?q=Anna Müller HTTP/1.1\r\n${HOST}\r\n`, 400, UNENCODED],
    ['a header with a null byte', `GET / HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`, 400, 'The request is not valid HTTP.'],
    ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'The request is not valid HTTP.'],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'The request is not valid HTTP.',
    ],
    [
      'too many headers',
      `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(70_000)}\r\n\r\n`,
      431,
      'The first line and the headers may have 65536 bytes together.',
    ],
    [
      'too long an address',
      `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${HOST}\r\n`,
      431,
      'The first line and the headers may have 65536 bytes together.',
    ],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'The header Host is missing.'],
    ['two hosts', `GET / HTTP/1.1\r\n${HOST}host: other\r\n\r\n`, 400, 'There are several Host headers.'],
    [
      'a compressed transfer',
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      501,
      'The only supported transfer coding is chunked.',
    ],
    ['an expectation', `GET / HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n`, 417, 'Only the expectation 100-continue can be met.'],
    ['something behind a good request', `GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\nnonsense\r\n\r\n`, 400, 'The request is not valid HTTP.'],
  ])('is refused in the shape of all errors, with an id: %s', async (_, raw, status, detail) => {
    const { headers, ...answer } = answerOf(await send(raw));
    expect(answer).toEqual({ status, body: { detail } });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      connection: 'close',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-request-id']).toMatch(UUID);
  });

  it('is logged with its id', async () => {
    const { headers } = answerOf(await send('nonsense\r\n\r\n'));
    expect(gateway.logs).toContainEqual({
      level: 'info',
      message: 'a request could not be read',
      fields: { request_id: headers['x-request-id'], status: 400, code: 'HPE_INVALID_METHOD' },
    });
  });

  it('can be a request with a broken body', async () => {
    const { token } = await gateway.issue();
    const head = `POST /api/v2/timestamps/absence-rules/ HTTP/1.1\r\n${HOST}Authorization: Token ${token}\r\nContent-Type: application/json\r\n`;
    expect(answerOf(await send(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\nnonsense\r\n`))).toMatchObject({
      status: 400,
      body: { detail: 'The request is not valid HTTP.' },
    });
    const extended = answerOf(await send(`${head}Transfer-Encoding: chunked\r\n\r\n1;${'e'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`));
    expect(extended).toMatchObject({ status: 413, body: { detail: 'The extensions of a chunk are too large.' } });
  });
});

describe('a request that was answered before its body had arrived', () => {
  it('gets no second response if the rest of it is broken', async () => {
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (part: string) => void (received += part));
    socket.write(`POST /api/v2/tokens/ HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`);
    await waitFor(() => received.endsWith('}'));
    socket.write('nonsense\r\n');
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });
});

it('HTTP/1.0 requires no Host header', async () => {
  expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK/);
});
