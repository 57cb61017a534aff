import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Socket, type TcpSocketConnectOpts } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startWebhookReceiver, type WebhookReceiver } from '@stechuhr/testing';
import type { Answer } from '../domain/delivery.js';
import { createTargets } from './target.js';

const MIB = 1_048_576;
const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const timeout: Answer = { status: null, problem: 'timeout' };

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

describe('requests to targets with an additional authority', () => {
  it('share the authorities, so that hundreds fit into memory', async () => {
    const send = createTargets({ allowedHosts: ['localhost'], authority: readFileSync(receiver.caFile, 'utf8') });
    const one = () => send({ url: `${receiver.origin}/memory`, headers: {}, body: '{}' });
    await one();
    const before = process.memoryUsage.rss();
    for (let lease = 0; lease < 75; lease += 1) {
      expect(await Promise.all([one(), one(), one(), one()])).toContainEqual(expect.objectContaining({ status: 204 }));
    }
    expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(150);
  });

  it('give each address of a target time for a distant one, and for a lost packet', async () => {
    const connecting = jest.spyOn(Socket.prototype, 'connect');
    const send = createTargets({ allowedHosts: ['localhost'], authority: readFileSync(receiver.caFile, 'utf8') });
    expect(await send({ url: `${receiver.origin}/distant`, headers: {}, body: '{}' })).toMatchObject({ status: 204 });
    const [[options] = []] = connecting.mock.calls as unknown as readonly (readonly [TcpSocketConnectOpts])[];
    connecting.mockRestore();
    expect(options?.autoSelectFamilyAttemptTimeout).toBe(2_500);
  });

  it('fail without it', async () => {
    const send = createTargets({ allowedHosts: ['localhost'], authority: undefined });
    expect(await send({ url: `${receiver.origin}/refused`, headers: {}, body: '{}' })).toEqual({ status: null, problem: 'tls' });
    expect(receiver.at('/refused')).toEqual([]);
  });
});

describe('an exchange', () => {
  /** Writes raw bytes repeatedly until the connection ends. */
  const drip = (first: string, next: string) => (response: ServerResponse) => {
    const { socket } = response;
    socket?.write(first);
    const timer = setInterval(() => socket?.write(next), 20).unref();
    socket?.on('close', () => clearInterval(timer)).on('error', () => undefined);
  };
  const then = (bytes: string) => (response: ServerResponse) => void response.socket?.end(bytes);

  const oddTargets: readonly [string, number | ((response: ServerResponse) => void), Answer][] = [
    ['switches protocols', (response) => response.writeHead(101, upgrade).end(), { status: 101, problem: 'status', retryAfterMs: 0 }],
    [
      'switches protocols without headers',
      drip('HTTP/1.1 101 Switching Protocols\r\n\r\n', ''),
      { status: 101, problem: 'status', retryAfterMs: 0 },
    ],
    ['sends interim responses without end', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), timeout],
    [
      'requests a pause of months',
      (response) => response.writeHead(503, { 'retry-after': '31536000' }).end(),
      { status: 503, problem: 'status', retryAfterMs: 31_536_000_000 },
    ],
    ['never ends its headers', drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n'), timeout],
    ['never ends its body', drip('HTTP/1.1 200 OK\r\n\r\n', 'x'), { status: 200, problem: null, retryAfterMs: 0 }],
    ['never ends its trailers', drip(`${chunked}0\r\n`, 'x: y\r\n'), { status: 200, problem: null, retryAfterMs: 0 }],
    ['ends within its body', then(`${chunked}9\r\nx`), { status: 200, problem: null, retryAfterMs: 0 }],
    ['ends within its headers', then('HTTP/1.1 200 OK\r\n'), { status: null, problem: 'connection' }],
    ['closes the connection without a response', then(''), { status: null, problem: 'connection' }],
    ['does not speak HTTP', then('220 mail.example.com ESMTP\r\n'), { status: null, problem: 'connection' }],
    ['does not respond', () => undefined, timeout],
  ];
  let answers: readonly Promise<Answer>[];

  // All together, so that the timeout can be long enough for a busy machine.
  beforeAll(() => {
    const send = createTargets({ allowedHosts: ['localhost'], authority: readFileSync(receiver.caFile, 'utf8'), timeoutMs: 4_000 });
    answers = oddTargets.map(([, given], at) => {
      receiver.answer(`/odd/${String(at)}`, given);
      return send({ url: `${receiver.origin}/odd/${String(at)}`, headers: {}, body: '{}' });
    });
  });

  it.each(oddTargets.map(([does, , answer], at) => ({ does, at, answer })))(
    'settles in time with a target that $does',
    async ({ at, answer }) => {
      expect(await answers[at]).toEqual(answer);
    },
  );
});
