import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ended } from './stechuhr.js';

/** A command, as the process of the test sends it to this one. */
export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string | Uint8Array;
}

const RUN = new URL('../../dist/run.js', import.meta.url).href;
const POLL_MS = 2;

process.on('message', (command: Command) => void run(command).then((ended) => process.send?.(ended)));
const own = active();

/** Runs the command line with its arguments, environment and streams, and waits until nothing would keep its process alive. */
async function run({ args, env, cwd, input }: Command): Promise<Ended> {
  const [stdout, stderr] = [collector(), collector()];
  Object.defineProperties(process, {
    stdin: { configurable: true, value: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]) },
    stdout: { configurable: true, value: stdout.stream },
    stderr: { configurable: true, value: stderr.stream },
  });
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(2, Infinity, ...args);
  process.exitCode = 0;
  const { run: runCommand } = (await import(RUN)) as { readonly run: () => Promise<void> };
  await runCommand();
  while ([...active()].some(([kind, count]) => count > (own.get(kind) ?? 0))) await delay(POLL_MS, undefined, { ref: false });
  return { exitCode: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
}

/** What keeps this process alive: the number of resources by their kind. */
function active(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
