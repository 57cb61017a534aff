import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Whether the process was started as `main.js prepare`: it creates what the version needs (indexes, streams) and ends, without taking work;
 * the charts do that before an upgrade.
 */
export function isPreparing(): boolean {
  return process.argv[2] === 'prepare';
}

/** Waits until everything that the service depends on is there, for what it creates may still be on its way. @throws after a minute */
export async function whenReady(adminPort: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
    if (answer.ok) return;
    if (Date.now() > until) throw new Error(`not ready after ${PATIENCE_MS / 1000} s: ${await answer.text()}`);
    await answer.body?.cancel();
    await delay(PAUSE_MS);
  }
}
