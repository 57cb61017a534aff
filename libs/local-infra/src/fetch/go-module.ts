import { chmodSync, cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';
import type { GoProgram } from './go-program.js';
import { anyGo } from './go-toolchain.js';

const FETCH_TIMEOUT_MS = 300_000;
const BUILD_TIMEOUT_MS = 1_200_000;

/** A Go module whose files are used unchanged. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
  /** SHA-256 over all files, as in a `go.sum`. */
  readonly sum: string;
}

/**
 * Downloads the sources of a module from the module proxy. Go compares them with its checksum database; the folder belongs to Go's cache and is
 * read-only.
 * @throws if `sum` is given and differs
 */
export async function goModule(cache: Cache, module: string, version: string, sum?: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off', GOTOOLCHAIN: 'local' };
  const download = ['mod', 'download', '-json', `${module}@${version}`];
  const printed = await runCommand(await anyGo(cache), download, { cwd: cache.folder, env, timeoutMs: FETCH_TIMEOUT_MS });
  return folderOfModule(printed, sum);
}

/**
 * The folder that `go mod download -json` printed.
 * @throws if the module's checksum is not the expected one
 */
export function folderOfModule(printed: string, sum: string | undefined): string {
  const { Dir, Sum, Path, Version } = JSON.parse(printed) as Record<'Dir' | 'Sum' | 'Path' | 'Version', string>;
  if (sum !== undefined && Sum !== sum) throw new Error(`${Path} ${Version} has the checksum ${Sum}, expected ${sum}: not used`);
  return Dir;
}

/** Builds a program that `go install` refuses because its module has replace directives; it is built in a copy of the module's folder. */
export async function goProgramOfCopy(cache: Cache, module: string, program: GoProgram): Promise<string> {
  const folder = await cached(cache, {
    name: `${program.name}-${program.version}-${process.platform}-${process.arch}`,
    what: `building ${program.name} with Go (once, some minutes)`,
    make: async (draft) => {
      const sources = join(draft, 'sources');
      cpSync(await goModule(cache, module, program.version), sources, { recursive: true });
      makeWritable(sources);
      const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off', GOTOOLCHAIN: 'auto', CGO_ENABLED: '0' };
      const build = ['build', '-gcflags', 'all=-dwarf=false', '-ldflags', '-s -w', '-o', join(draft, program.name), program.path];
      await runCommand(await anyGo(cache), build, { cwd: sources, env, timeoutMs: BUILD_TIMEOUT_MS });
      rmSync(sources, { recursive: true });
    },
  });
  return join(folder, program.name);
}

/** Makes a copy from Go's read-only cache writable. */
export function makeWritable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
