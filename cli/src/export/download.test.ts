import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { download } from './download.js';

async function from(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  try {
    const file = await buffer(Readable.from(await download(`http://${host}/file`)));
    return file.toString();
  } catch (caught) {
    return (caught as Error).message.replace(host, 'HOST');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('download', () => {
  it('reads the whole file', async () => {
    expect(await from((_, response) => void response.end('all of it'))).toBe('all of it');
  });

  it.each<[string, RequestListener, string]>([
    [
      'the store breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('some', () => response.destroy());
      },
      'The store at HOST stopped sending before the file was complete: other side closed',
    ],
    ['the store refuses', (_, response) => void response.writeHead(403).end(), 'The file could not be fetched: the store answers 403.'],
    [
      'the store hangs up',
      (request) => void request.socket.destroy(),
      'The file is in the store at HOST, which cannot be reached from here: other side closed',
    ],
  ])('reports the reason of a failure: %s', async (_, answer, message) => {
    expect(await from(answer)).toBe(message);
  });
});
