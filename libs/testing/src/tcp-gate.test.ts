import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { openTcpGate } from './tcp-gate.js';
import { waitFor } from './wait-for.js';

it('a gate holds the answers after exactly as many bytes, however they are divided into chunks', async () => {
  const server = createServer((socket) => void socket.write(Buffer.alloc(50_000))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate = await openTcpGate(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  gate.holdAnswersAfter(1_000);
  const [host, port] = gate.address.split(':');
  let received = 0;
  const client = connect(Number(port), host).on('data', ({ byteLength }) => (received += byteLength));
  await waitFor(() => gate.heldBytes === 49_000);
  await waitFor(() => received >= 1_000);
  expect(received).toBe(1_000);
  gate.release();
  await waitFor(() => received === 50_000);
  client.destroy();
  await gate.stop();
  server.close();
});
