import { createServer } from 'node:net';
import { freePort } from '@stechuhr/local-infra';

/** Returns the port of the gateway: the requested one, or any free port for 0. @throws Error with advice if the port is taken */
export async function gatewayPort(wanted: number): Promise<number> {
  if (wanted === 0) return freePort();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new Error(`Port ${wanted} is taken. Choose another one, or any free one: PORT=0 npm start`)));
    server.listen(wanted, '127.0.0.1', resolve);
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return wanted;
}
