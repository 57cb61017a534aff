import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const ROOT = join(import.meta.dirname, '../../..');

/** Runs a CLI command against the platform of a state folder. @returns its output @throws Error if the command fails */
export function runCli(home: string, args: readonly string[], input: Iterable<string> = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_OPTIONS: '', STECHUHR_HOME: home };
    const command = [join(ROOT, 'cli/dist/main.js'), ...args];
    const child = execFile(process.execPath, command, { cwd: ROOT, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`stechuhr ${args.join(' ')} failed: ${stderr}${stdout}`, { cause: error }));
    });
    // A command that ends early does not read all of its input.
    if (child.stdin !== null) pipeline(Readable.from(input, { objectMode: false }), child.stdin).catch(() => undefined);
  });
}
