import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { checkListening } from './servers.js';

it('a server that has answered is not missed because the command got no processor for seconds', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const finding = checkListening('Redis', `redis://127.0.0.1:${String(port)}`, 6379);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
  const { state } = await finding;
  server.close();
  expect(state).toBe('ok');
});

it('the hosts of mongodb+srv are those that DNS names', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const look = async (name: string) => {
    asked.push(name);
    return [{ name: '127.0.0.1', port }];
  };
  const url = 'mongodb+srv://gateway:secret@cluster.example.com/?authSource=stechuhr_gateway';
  expect(await checkListening('MongoDB', url, 27_017, look)).toMatchObject({ state: 'ok', detail: `listens at 127.0.0.1:${String(port)}` });
  expect(asked).toEqual(['_mongodb._tcp.cluster.example.com']);
  server.close();
  const missing = async () => Promise.reject(new Error('querySrv ENOTFOUND _mongodb._tcp.cluster.example.com'));
  expect(await checkListening('MongoDB', url, 27_017, missing)).toMatchObject({
    state: 'failed',
    detail: 'querySrv ENOTFOUND _mongodb._tcp.cluster.example.com',
  });
});
