import { createServer } from 'node:net';
import { freePort } from '@stechuhr/local-infra';

/** Returns the port of the gateway: the requested one, or any free port for 0. @throws Error with advice if the port cannot be used */
export async function gatewayPort(wanted: number): Promise<number> {
  if (wanted === 0) return freePort();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => reject(new Error(portAdvice(wanted, code))));
    server.listen(wanted, '127.0.0.1', resolve);
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return wanted;
}

/** Returns what to do about a port, by the code of the error with which listening on it failed. */
export function portAdvice(port: number, code: string | undefined): string {
  const reasons: Readonly<Record<string, string>> = { EADDRINUSE: 'is taken', EACCES: 'is reserved for the administrator of this machine' };
  const reason = reasons[code ?? ''] ?? `of 127.0.0.1 cannot be used (${code})`;
  return `Port ${port} ${reason}. Choose another one, or any free one: PORT=0 npm start`;
}
