import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Failure, Order, Report } from './child.js';
import type { RunInput, Variant } from './types.js';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));

/** A new process, which runs variants one after the other until it is ended. */
export class VariantProcess {
  // Node options of the bench itself must not affect the measurement.
  private readonly child = fork(CHILD, [], {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

  /** Runs a variant once. @throws Error with what the run threw, or if the process ends without a report */
  async run(variant: Variant, input: RunInput): Promise<Report> {
    const { promise, resolve, reject } = Promise.withResolvers<Report>();
    const name = variant.module.pathname;
    const onMessage = (message: unknown): void => {
      const sent = message as Report | Failure;
      if ('failure' in sent) reject(new Error(`${name} failed: ${sent.failure}`));
      else resolve(sent);
    };
    const onExit = (code: number | null, signal: string | null): void =>
      reject(new Error(`${name} ended (${code ?? signal}) without a report`));
    this.child.once('message', onMessage).once('error', reject).once('exit', onExit);
    this.child.send({ module: variant.module.href, input } satisfies Order);
    try {
      return await promise;
    } finally {
      this.child.off('message', onMessage).off('error', reject).off('exit', onExit);
    }
  }

  end(): void {
    if (this.child.connected) this.child.disconnect();
  }
}
