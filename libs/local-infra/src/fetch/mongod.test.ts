import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import type { Cache } from './cached.js';
import { fetchMongod } from './mongod.js';

let scratch: string;
let cache: Cache;
let servers: Server[];

beforeEach(() => {
  servers = [];
  scratch = mkdtempSync(join(tmpdir(), 'stechuhr-mongod-'));
  cache = { folder: join(scratch, 'cache'), log: () => {} };
});
afterEach(() => {
  close();
  rmSync(scratch, { recursive: true, force: true });
});

const close = (): void =>
  servers.forEach((server) => {
    server.close();
    server.closeAllConnections();
  });

/** Serves an archive like that of MongoDB, whose program is the given script. */
async function serve(script: string): Promise<{ url: string; sha256: string }> {
  const bin = join(scratch, 'mongodb-1', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'mongod'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'mongod'), 0o755);
  await runCommand('tar', ['-czf', join(scratch, 'a.tgz'), '-C', scratch, 'mongodb-1']);
  const bytes = readFileSync(join(scratch, 'a.tgz'));
  const server = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/a.tgz`, sha256: createHash('sha256').update(bytes).digest('hex') };
}

describe('fetchMongod', () => {
  it('unpacks the archive whose checksum is known, once', async () => {
    const archive = await serve('echo db version');
    const program = await fetchMongod(cache, archive);
    expect(await runCommand(program, ['--version'])).toBe('db version\n');
    close();
    expect(await fetchMongod(cache, archive)).toBe(program);
  });

  it('rejects a modified archive before anything in it runs, and tries again next time', async () => {
    const ran = join(scratch, 'ran');
    const archive = await serve(`touch ${ran}`);
    const known = { ...archive, sha256: '0'.repeat(64) };
    await expect(fetchMongod(cache, known)).rejects.toThrow(`has the checksum ${archive.sha256}, expected ${known.sha256}: not used`);
    expect(readdirSync(cache.folder)).toEqual([]);
    expect(readdirSync(scratch)).not.toContain('ran');
  });

  it('remembers what cannot be had or does not run here', async () => {
    await expect(fetchMongod(cache, { url: 'http://127.0.0.1:1/a.tgz', sha256: '' })).rejects.toThrow('the download of mongod was refused');
    await expect(fetchMongod(cache, await serve('exit 0'))).rejects.toThrow('less than a day ago');
    rmSync(cache.folder, { recursive: true });
    await expect(fetchMongod(cache, await serve('exit 1'))).rejects.toThrow('does not run here');
  });
});
