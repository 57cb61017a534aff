import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';

/** A program that is built from its Go module; Go verifies the checksum of the module. */
export interface GoProgram {
  /** The package path as `go install` takes it, without the version. */
  readonly path: string;
  readonly version: string;
  readonly name: string;
}

const BUILD_TIMEOUT_MS = 900_000;

/**
 * The path of the built program.
 * @param findGo returns the Go command; called only if the program has to be built
 */
export async function goProgram(cache: Cache, program: GoProgram, findGo: () => Promise<string>): Promise<string> {
  const folder = await cached(cache, {
    name: `${program.name}-${program.version}-${process.platform}-${process.arch}`,
    what: `building ${program.name} with Go (once, some minutes)`,
    make: async (draft) => {
      const go = await findGo();
      // Ignore the user's flags and workspace, which are meant for other modules. Go may download the version of itself that the module requires.
      const env = { ...process.env, GOBIN: draft, GOFLAGS: '-mod=mod', GOWORK: 'off', GOTOOLCHAIN: 'auto', CGO_ENABLED: '0' };
      const install = ['install', '-gcflags', 'all=-dwarf=false', '-ldflags', '-s -w', `${program.path}@${program.version}`];
      await runCommand(go, install, { env, cwd: draft, timeoutMs: BUILD_TIMEOUT_MS });
    },
  });
  return join(folder, program.name);
}

/**
 * The installed Go command.
 * @throws if there is none that works
 */
export async function installedGo(): Promise<string> {
  await runCommand('go', ['version'], { timeoutMs: 10_000 });
  return 'go';
}
