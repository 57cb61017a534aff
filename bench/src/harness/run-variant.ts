import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Order, Report } from './child.js';
import type { RunInput, Variant } from './types.js';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));

/** Runs a variant once in a new process. @throws Error if the process ends without a report */
export function runVariant(variant: Variant, input: RunInput): Promise<Report> {
  return new Promise((resolve, reject) => {
    // Node options of the bench itself must not affect the measurement.
    const child = fork(CHILD, [], {
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('message', (report) => resolve(report as Report));
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${variant.module.pathname} ended (${code ?? signal}) without a report`)));
    child.send({ module: variant.module.href, input } satisfies Order);
  });
}
