import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { fromDocker } from './docker.js';

const container = fromDocker({
  image: 'redis:1',
  port: 6379,
  command: [],
  probe: async () => {},
  settings: async () => ({ environment: {}, address: '' }),
});

let engine: Server | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  engine?.close();
});

async function prepareWith(answer: string | undefined): Promise<string> {
  engine = createServer((socket) => {
    sockets.push(socket);
    if (answer !== undefined) socket.end(answer);
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const { port } = engine.address() as AddressInfo;
  const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}` };
  return (await container.prepare({ env, cache: { folder: '', log: () => {} } })).description;
}

describe('the Docker provider', () => {
  it('works where an engine answers', async () => {
    await expect(prepareWith('HTTP/1.0 200 OK\r\n\r\nOK')).resolves.toBe('redis:1 in Docker');
  });

  it.each([
    ['something else answers', 'HTTP/1.0 404 Not Found\r\n\r\n'],
    ['nothing is said for a second', undefined],
  ])('does not where %s', async (_what, answer) => {
    await expect(prepareWith(answer)).rejects.toThrow('no Docker engine answers');
  });

  it('does not where nobody listens', async () => {
    const nobody = { env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' }, cache: { folder: '', log: () => {} } };
    await expect(container.prepare(nobody)).rejects.toThrow('no Docker engine answers');
  });
});
