import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { startHttpServer, type HttpServer } from '../src/http-server.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: gateway\r\n\r\n';

let server: HttpServer;
let held: ServerResponse[] = [];
let sockets: Socket[] = [];

async function start(maxConnections: number): Promise<void> {
  server = await startHttpServer({ host: '127.0.0.1', port: 0, maxConnections, listener: (_, response) => void held.push(response) });
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  [held, sockets] = [[], []];
  await server.stop({ totalMs: 1_000, silentMs: 1_000 });
});

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  socket.resume();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request; it is under way when this resolves. */
async function ask(socket: Socket): Promise<ServerResponse> {
  const before = held.length;
  socket.write(REQUEST);
  await waitFor(() => held.length > before);
  return held.at(-1) as ServerResponse;
}

async function answer(socket: Socket): Promise<void> {
  const answered = await ask(socket);
  answered.end();
  await once(socket, 'data');
}

const isClosed = ({ closed }: Socket): boolean => closed;
/** Which of the connections are closed once one is. */
async function closedOf(...all: readonly Socket[]): Promise<boolean[]> {
  await waitFor(() => all.some(isClosed));
  return all.map(isClosed);
}

describe('one connection more than allowed', () => {
  it('closes the one that has been without a request for the longest time', async () => {
    await start(3);
    const [used, silent, busy] = [await open(), await open(), await open()];
    await ask(busy);
    await answer(used);
    const fourth = await open();
    expect(await closedOf(used, silent, busy, fourth)).toEqual([false, true, false, false]);
    const fifth = await open();
    expect(await closedOf(used, busy, fourth, fifth)).toEqual([true, false, false, false]);
    await answer(fourth);
  });

  it('closes one that does not finish its headers', async () => {
    await start(2);
    const slow = await open();
    slow.write('GET / HTTP/1.1\r\nHost: gat');
    const busy = await open();
    await ask(busy);
    const third = await open();
    expect(await closedOf(slow, busy, third)).toEqual([true, false, false]);
    await answer(third);
  });

  it('is closed itself if all others have requests under way', async () => {
    await start(2);
    const [first, second] = [await open(), await open()];
    const answers = [await ask(first), await ask(second)];
    expect(await closedOf(first, second, await open())).toEqual([false, false, true]);
    // Both are answered, and idle again.
    for (const response of answers) response.end();
    await Promise.all([once(first, 'data'), once(second, 'data')]);
    const next = await open();
    expect(await closedOf(first, second, next)).toEqual([true, false, false]);
    await answer(next);
  });

  it('is served without a limit', async () => {
    await start(0);
    const all = [await open(), await open(), await open()];
    for (const socket of all) await answer(socket);
    expect(all.map(isClosed)).toEqual([false, false, false]);
  });
});
