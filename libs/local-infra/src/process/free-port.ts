import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userName } from './user-name.js';

/**
 * Below the ephemeral ports (from 32768 on Linux, 49152 elsewhere): any outgoing connection of the machine could take one of those while the server
 * is still starting.
 */
const RANGE = { first: 20_000, end: 32_000 };
const ATTEMPTS = 100;
/** By then, the server has bound its port. */
const RESERVED_MS = 120_000;
const RESERVATIONS = join(tmpdir(), `stechuhr-ports-${userName()}`);

/** A free TCP port of 127.0.0.1, reserved for two minutes against other processes of this user, since the server binds it only later. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(RANGE.first, RANGE.end);
    if (reserve(port) && (await canListen(port))) return port;
  }
  throw new Error(`no free TCP port was found between ${RANGE.first} and ${RANGE.end}`);
}

/** Reserves a port with an empty file, which only one process can create. If files cannot be written, there are no reservations. */
function reserve(port: number): boolean {
  const file = join(RESERVATIONS, String(port));
  try {
    mkdirSync(RESERVATIONS, { recursive: true });
    writeFileSync(file, '', { flag: 'wx' });
  } catch {
    const age = ageOf(file);
    // Not retried at once, since another process may be removing the same file.
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
