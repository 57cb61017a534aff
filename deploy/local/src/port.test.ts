import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { gatewayPort, portAdvice } from './port.js';

describe('a port that cannot be used', () => {
  it('is reported with advice', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(gatewayPort(port)).rejects.toThrow(`Port ${port} is taken. Choose another one, or any free one: PORT=0 npm start`);
    server.close();
  });

  // Which ports are reserved depends on the machine and the user.
  it.each([
    ['EADDRINUSE', 'Port 80 is taken. '],
    ['EACCES', 'Port 80 is reserved for the administrator of this machine. '],
    ['EADDRNOTAVAIL', 'Port 80 of 127.0.0.1 cannot be used (EADDRNOTAVAIL). '],
  ])('is not called taken for another reason: %s', (code, start) => {
    expect(portAdvice(80, code)).toBe(`${start}Choose another one, or any free one: PORT=0 npm start`);
  });
});
