import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** docs/subscriber.mjs at work. */
export interface Subscription {
  readonly child: ChildProcess;
  /** The ids of what it has heard of, in its order; of a record that moved twice. */
  readonly seen: readonly string[];
  /** `<employee> <first day> <last day> <id>`. */
  readonly days: readonly string[];
}

/** Runs the example of the docs with these settings; whoever runs it ends it. */
export function runSubscriber(env: Readonly<Record<string, string>>): Subscription {
  const file = join(ROOT, 'docs/subscriber.mjs');
  const child = spawn(process.execPath, [file], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const seen: string[] = [];
  const days: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(line.split(' ').at(-1) ?? '');
    days.push(line.split(' ').slice(2).join(' '));
  });
  return { child, seen, days };
}
