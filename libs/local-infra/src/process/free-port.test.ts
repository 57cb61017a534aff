import { expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { freePort } from './free-port.js';

it('gives no port twice', async () => {
  // Of 12,000 ports, 300 random draws contain a duplicate with a probability of 0.976.
  const ports = await Promise.all(Array.from({ length: 300 }, freePort));
  expect(new Set(ports).size).toBe(300);
});

it('gives a port on which one can listen', async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  server.close();
});
