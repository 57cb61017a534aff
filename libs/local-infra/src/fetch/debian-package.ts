import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';

/** A program from Debian packages that were unpacked instead of installed. */
export interface UnpackedProgram {
  readonly command: string;
  /** Environment with the paths of the libraries that were unpacked with it. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Downloads packages without root access and unpacks them together; apt verifies their signatures.
 * @param program path inside the packages
 * @param name name of the cache folder, for packages whose first one others unpack too
 */
export async function debianProgram(
  cache: Cache,
  packages: readonly [string, ...string[]],
  program: string,
  name: string = packages[0],
): Promise<UnpackedProgram> {
  if (process.platform !== 'linux') throw new Error('this is not Debian');
  const folder = await cached(cache, {
    name: `debian-${name}-${process.arch}`,
    what: `fetching Debian's ${packages[0]}`,
    make: async (draft) => {
      await runCommand('apt-get', ['download', ...packages], { cwd: draft, timeoutMs: 120_000 });
      for (const file of readdirSync(draft).filter((entry) => entry.endsWith('.deb'))) {
        await runCommand('dpkg', ['-x', join(draft, file), join(draft, 'root')]);
        rmSync(join(draft, file));
      }
      await runCommand(join(draft, 'root', program), ['--version'], { env: librariesIn(draft), timeoutMs: 10_000 });
    },
  });
  return { command: join(folder, 'root', program), env: librariesIn(folder) };
}

function librariesIn(folder: string): NodeJS.ProcessEnv {
  const root = join(folder, 'root', 'usr', 'lib');
  if (!existsSync(root)) return {};
  const triplets = readdirSync(root).filter((name) => name.includes('-linux-'));
  return { LD_LIBRARY_PATH: triplets.map((name) => join(root, name)).join(':') };
}
