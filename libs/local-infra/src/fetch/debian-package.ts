import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';

/** The folder with an unpacked package of this Debian (or its kin), fetched without root; apt verifies its signature. */
export async function debianPackageFolder(cache: Cache, name: string): Promise<string> {
  if (process.platform !== 'linux') throw new Error('no Debian');
  return cached(cache, {
    name: `debian-${name}-${process.arch}`,
    what: `fetching Debian's ${name}`,
    make: async (folder) => {
      await runCommand('apt-get', ['download', name], { cwd: folder, timeoutMs: 120_000 });
      const file = readdirSync(folder).find((entry) => entry.endsWith('.deb'));
      if (file === undefined) throw new Error(`apt-get left no package ${name}`);
      await runCommand('dpkg', ['-x', join(folder, file), join(folder, 'root')]);
      rmSync(join(folder, file));
    },
  });
}
