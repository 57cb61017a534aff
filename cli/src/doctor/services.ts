import { ownTimeLimit } from '@stechuhr/kernel';
import { z } from 'zod';
import { reasonOf } from '../reason-of.js';
import { failed, ok, type Finding } from './check.js';

const TIMEOUT_MS = 5_000;
const readiness = z.object({ failures: z.record(z.string(), z.string()).default({}) });

/** The state that a service reports on its admin port. */
export async function checkService(name: string, address: string): Promise<Finding> {
  try {
    const answer = await fetch(`http://${address}/readyz`, { signal: ownTimeLimit(TIMEOUT_MS) });
    if (answer.ok) return ok(name, `is ready (${address})`);
    const { failures } = readiness.parse(await answer.json());
    const reasons = Object.entries(failures).map(([what, reason]) => `${what}: ${reason}`);
    return failed(
      name,
      `is not ready: ${reasons.join('; ')}`,
      `Fix ${Object.keys(failures).join(', ')} first; the service then recovers automatically.`,
    );
  } catch (caught) {
    return failed(name, `does not answer at ${address}: ${reasonOf(caught)}`, `Start ${name}, or check its log.`);
  }
}

/** Checks whether an address answers at all. */
export async function checkAnswers(name: string, url: string, advice: string): Promise<Finding> {
  try {
    const { status } = await fetch(url, { signal: ownTimeLimit(TIMEOUT_MS), redirect: 'manual' });
    return status < 500 ? ok(name, `answers at ${url}`) : failed(name, `answers ${String(status)} at ${url}`, advice);
  } catch (caught) {
    return failed(name, `does not answer at ${url}: ${reasonOf(caught)}`, advice);
  }
}
