import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): one of those could be taken by any
 * connection of the machine while the server that it is meant for is still starting.
 */
const RANGE = { first: 20_000, end: 32_000 };
const ATTEMPTS = 100;

/** A TCP port of 127.0.0.1 that is free at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(RANGE.first, RANGE.end);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free TCP port was found between ${RANGE.first} and ${RANGE.end}`);
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
