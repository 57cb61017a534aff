import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fromEnvironment } from './environment.js';
import type { Surroundings } from './provider.js';

const provider = fromEnvironment('NATS_URL', (_env, url) => url, 300);
const around = (url: string): Surroundings => ({ env: { NATS_URL: url }, cache: { folder: '', log: () => {} } });
const start = async (url: string): Promise<string> => (await (await provider.prepare(around(url))).start({} as never)).address;

describe('a server that the environment names', () => {
  it.each([
    'nats://127.0.0.1:1',
    'nats://user:secret@127.0.0.1:1',
    'nats://127.0.0.1:1,nats://[::1]:2',
    'redis+cluster://:secret@127.0.0.1:1,[::1]:2',
  ])('is not considered ready while nothing listens at %s', async (url) => {
    await expect(start(url)).rejects.toThrow(/^NATS_URL names (127.0.0.1:1|127.0.0.1:1, ::1:2), where no server accepts a connection/);
  });

  it('is one of several hosts', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `nats://127.0.0.1:1,user:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(start(url)).resolves.toBe(url);
    server.close();
  });

  it('is believed where only DNS knows its hosts', async () => {
    await expect(start('mongodb+srv://cluster.example.com/')).resolves.toBe('mongodb+srv://cluster.example.com/');
  });
});
