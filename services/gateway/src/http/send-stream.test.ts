import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import type { Pace } from './reader-pace.js';
import { sendStream } from './send-stream.js';

const CHUNK = Buffer.alloc(256 * 1024, 'x');
const PACE = { bytesPerSecond: 100 * 1024, windowMs: 300 };
/** A low rate for clients that read, so that a busy machine does not make them too slow. */
const PATIENT = { bytesPerSecond: 1, windowMs: 5_000 };

let server: Server;
let client: IncomingMessage;
afterEach(() => {
  // One that does not read notices no end, and would keep the process of the tests alive.
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** Serves one body and returns how sending it ended. */
async function serve(
  chunks: AsyncIterable<Uint8Array>,
  pace: Pace,
): Promise<{ readonly answer: IncomingMessage; readonly sent: Promise<unknown> }> {
  const gone = new AbortController();
  const outcome = Promise.withResolvers<unknown>();
  server = createServer((_, response: ServerResponse) => {
    response.once('close', () => gone.abort());
    sendStream(response, { headers: {}, chunks, signal: gone.signal, pace }).then(() => outcome.resolve('sent'), outcome.resolve);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  client = answer;
  return { answer, sent: outcome.promise };
}

async function* chunksOf(
  count: number,
  before: () => Promise<void> = async () => undefined,
  chunk = CHUNK,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let n = 0; n < count; n += 1) {
    await before();
    yield chunk;
  }
}

describe('sendStream', () => {
  it('disconnects a client that stops reading', async () => {
    const { sent } = await serve(chunksOf(1000), PACE);
    const error = AppError.from(await sent);
    expect(error).toMatchObject({ code: 'rate_limited', message: 'The client reads less than 100 KiB a second.' });
  });

  it('sends everything to a client that reads', async () => {
    const { answer, sent } = await serve(chunksOf(200), PATIENT);
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).byteLength;
    expect(bytes).toBe(200 * CHUNK.byteLength);
    expect(await sent).toBe('sent');
  });

  it('counts everything that a client reads, also where the parts are small', async () => {
    const part = CHUNK.subarray(0, 256);
    const pace = { bytesPerSecond: 128 * 1024, windowMs: 1_000 };
    const { answer, sent } = await serve(chunksOf(200_000, undefined, part), pace);
    // A pause after each 64 KiB: some megabytes a second, of which the gateway waits most of the time.
    const reading = (async () => {
      for await (const _ of answer) await delay(2);
    })().catch(() => undefined);
    expect(await sent).toBe('sent');
    answer.destroy();
    await reading;
  });

  it('does not count the time of a slow source against the client', async () => {
    const { promise: windowsLater, resolve } = Promise.withResolvers<void>();
    const pace = { ...PATIENT, windowMs: 1_000 };
    setTimeout(resolve, 3 * pace.windowMs);
    const { answer, sent } = await serve(
      chunksOf(3, () => windowsLater),
      pace,
    );
    answer.resume();
    expect(await sent).toBe('sent');
  });
});
