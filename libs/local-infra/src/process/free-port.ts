import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): one of those could be taken by any
 * connection of the machine while the server that it is meant for is still starting.
 */
const RANGE = { first: 20_000, end: 32_000 };
const ATTEMPTS = 100;
/** A server that is meant for a port has bound it by then. */
const RESERVED_MS = 120_000;
const RESERVATIONS = join(tmpdir(), `stechuhr-ports-${userInfo().username}`);

/**
 * A TCP port of 127.0.0.1 that is free, and that no other process of this user gets from here for two minutes: the server that it is meant
 * for binds it only later.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(RANGE.first, RANGE.end);
    if (reserve(port) && (await canListen(port))) return port;
  }
  throw new Error(`no free TCP port was found between ${RANGE.first} and ${RANGE.end}`);
}

/** An empty file for each reserved port: the file system decides who was first. Where none can be written, there are no reservations. */
function reserve(port: number): boolean {
  const file = join(RESERVATIONS, String(port));
  try {
    mkdirSync(RESERVATIONS, { recursive: true });
    writeFileSync(file, '', { flag: 'wx' });
  } catch {
    const age = ageOf(file);
    // Not taken at once: another process may be removing the same file.
    if (age !== undefined && age > RESERVED_MS) rmSync(file, { force: true });
    return age === undefined;
  }
  return true;
}

function ageOf(file: string): number | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && Date.now() - stats.mtimeMs;
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
