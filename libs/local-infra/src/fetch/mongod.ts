import { rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';
import { verifyChecksum } from './checksum.js';

/** The version that is downloaded. */
export const MONGOD_VERSION = '8.2.6';

/** An archive of MongoDB's server; the programs are in its `bin`. */
export interface Archive {
  readonly url: string;
  readonly sha256: string;
}

const FIRST_BYTE_MS = 10_000;
const REFUSED_FOR_MS = 24 * 3_600_000;

const official = (path: string, sha256: string): Archive => ({ url: `https://fastdl.mongodb.org/${path}-${MONGOD_VERSION}.tgz`, sha256 });

/** By platform and architecture of Node. The checksums come from nixpkgs (mongodb-ce), that is, from another source than the archives. */
const archives: Readonly<Record<string, Archive>> = {
  'linux-x64': official('linux/mongodb-linux-x86_64-ubuntu2404', '56314a0f0a81238d974302fbffe7862efe9694c498ead62a0bca92cb595a0df0'),
  'linux-arm64': official('linux/mongodb-linux-aarch64-ubuntu2404', '8eaa50d208e82df9effa462a6c5cb200a65b037fa118af0153f701ce1ceab422'),
  'darwin-x64': official('osx/mongodb-macos-x86_64', '39b6ba80ad21ad1ca8dbd989d7fe81a60aa5f41475eb42d4247fe40740062f3d'),
  'darwin-arm64': official('osx/mongodb-macos-arm64', 'ef8301d05cdb4686775aee1ddce391b5f1cd67cdc61179c2d21dab246a2c4f1b'),
};

/** Runs in a separate process, because Node reads the proxy settings of the environment only at its start. */
const DOWNLOAD = `const [url, file, firstByteMs] = process.argv.slice(1);
const slow = new AbortController();
const timer = setTimeout(() => slow.abort(new Error('no answer')), Number(firstByteMs));
const answer = await fetch(url, { signal: slow.signal });
clearTimeout(timer);
if (!answer.ok) throw new Error(url + ' answers ' + answer.status);
const { pipeline } = await import('node:stream/promises');
await pipeline(answer.body, (await import('node:fs')).createWriteStream(file));`;

/**
 * The path of a real mongod, which is downloaded once and verified by checksum. A failed download is remembered for a day, so that not every start
 * loses time trying again.
 */
export async function fetchMongod(cache: Cache, archive = archives[`${process.platform}-${process.arch}`]): Promise<string> {
  if (archive === undefined) throw new Error('no mongod for this platform has a known checksum');
  const name = `mongodb-${MONGOD_VERSION}-${process.platform}-${process.arch}`;
  const refused = join(cache.folder, `${name}.refused`);
  const refusedAt = statSync(refused, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - refusedAt < REFUSED_FOR_MS) throw new Error('the download of mongod was refused less than a day ago');
  const orRefused = async (what: string, step: Promise<unknown>): Promise<void> => {
    try {
      await step;
    } catch (cause) {
      writeFileSync(refused, String(cause));
      throw new Error(what, { cause });
    }
  };
  const folder = await cached(cache, {
    name,
    what: `downloading mongod ${MONGOD_VERSION}`,
    make: async (draft) => {
      const file = join(draft, basename(archive.url));
      await orRefused('the download of mongod was refused', download(archive.url, file));
      verifyChecksum(file, archive.sha256);
      await runCommand('tar', ['-xzf', file, '-C', draft, '--strip-components', '1']);
      await orRefused('the downloaded mongod does not run here', runCommand(programIn(draft), ['--version'], { timeoutMs: 10_000 }));
      for (const spare of [file, join(draft, 'bin', 'mongos')]) rmSync(spare, { force: true });
    },
  });
  return programIn(folder);
}

const programIn = (folder: string): string => join(folder, 'bin', 'mongod');

async function download(url: string, file: string): Promise<void> {
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' };
  await runCommand(process.execPath, ['--input-type=module', '--eval', DOWNLOAD, '--', url, file, String(FIRST_BYTE_MS)], { env });
}
