import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';

/** The version that is downloaded. */
export const MONGOD_VERSION = '8.2.6';

const require = createRequire(import.meta.url);
const FIRST_BYTE_MS = 10_000;
const REFUSED_FOR_MS = 24 * 3_600_000;

/** Runs apart, because a download that hangs can only be ended with its process. The download's MD5 is compared with its server's. */
const DOWNLOAD = `require(process.argv[1]).MongoBinary
  .getPath({ version: process.argv[2], downloadDir: process.argv[3], checkMD5: true })
  .catch((error) => { console.error(error.message); process.exit(1); })`;

/** The path of a real mongod, downloaded once. A refusal is remembered for a day, so that it costs only one start its seconds. */
export async function fetchMongod(cache: Cache): Promise<string> {
  const name = `mongod-${MONGOD_VERSION}-${process.platform}-${process.arch}`;
  const refused = join(cache.folder, `${name}.refused`);
  const refusedAt = statSync(refused, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - refusedAt < REFUSED_FOR_MS) throw new Error('the download of mongod was refused less than a day ago');
  const folder = await cached(cache, {
    name,
    what: `downloading mongod ${MONGOD_VERSION}`,
    make: async (draft) => {
      try {
        await download(draft);
        await runCommand(programIn(draft), ['--version'], { timeoutMs: 10_000 });
      } catch (error) {
        writeFileSync(refused, String(error));
        throw new Error('the download of mongod was refused', { cause: error });
      }
    },
  });
  return programIn(folder);
}

function programIn(folder: string): string {
  const name = readdirSync(folder).find((entry) => entry.startsWith('mongod'));
  if (name === undefined) throw new Error('the download left no mongod');
  return join(folder, name);
}

async function download(folder: string): Promise<void> {
  const library = require.resolve('mongodb-memory-server-core');
  const abort = new AbortController();
  const hangs = setTimeout(() => {
    const received = readdirSync(folder).some((name) => statSync(join(folder, name)).size > 0);
    if (!received) abort.abort();
  }, FIRST_BYTE_MS);
  try {
    const env = { ...process.env, MONGOMS_MAX_RETRIES: '1' };
    await runCommand(process.execPath, ['-e', DOWNLOAD, library, MONGOD_VERSION, folder], { env, signal: abort.signal });
  } finally {
    clearTimeout(hangs);
  }
}
