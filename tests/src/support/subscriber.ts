import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A running docs/subscriber.mjs. */
export interface Subscription {
  readonly child: ChildProcess;
  /** Ids of records in received events, in order; a moved record occurs twice. */
  readonly seen: readonly string[];
  /** `<employee> <first day> <last day> <id>`. */
  readonly days: readonly string[];
}

/** Runs docs/subscriber.mjs with these settings. The caller has to end it. */
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
