import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';

/** A program that is built from its Go module; the module's checksum is verified by Go itself. */
export interface GoProgram {
  /** What `go install` takes, without the version. */
  readonly path: string;
  readonly version: string;
  readonly name: string;
}

const BUILD_TIMEOUT_MS = 900_000;

/** The path of the built program; `findGo` returns the Go command and is called only when the program has to be built. */
export async function goProgram(cache: Cache, program: GoProgram, findGo: () => Promise<string>): Promise<string> {
  const folder = await cached(cache, {
    name: `${program.name}-${program.version}-${process.platform}-${process.arch}`,
    what: `building ${program.name} with Go (once, some minutes)`,
    make: async (draft) => {
      const go = await findGo();
      // The user's flags and workspace are meant for the user's modules; Go may fetch itself in the version that the module needs.
      const env = { ...process.env, GOBIN: draft, GOFLAGS: '-mod=mod', GOWORK: 'off', GOTOOLCHAIN: 'auto', CGO_ENABLED: '0' };
      const install = ['install', '-gcflags', 'all=-dwarf=false', '-ldflags', '-s -w', `${program.path}@${program.version}`];
      await runCommand(go, install, { env, cwd: draft, timeoutMs: BUILD_TIMEOUT_MS });
    },
  });
  return join(folder, program.name);
}

/** The Go that is installed, if it works. */
export async function installedGo(): Promise<string> {
  await runCommand('go', ['version'], { timeoutMs: 10_000 });
  return 'go';
}
