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
