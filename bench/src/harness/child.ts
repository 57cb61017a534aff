// Executes runs of variants: receives an order from the parent and sends back the measures. Ends when the parent disconnects.
import { performance } from 'node:perf_hooks';
import type { Measures, Outcome, Run, RunInput } from './types.js';

export interface Order {
  readonly module: string;
  readonly input: RunInput;
}

export interface Report {
  readonly measures: Measures;
  readonly digest?: string;
}

/** Why a run has no report. The process ends after it. */
export interface Failure {
  readonly failure: string;
}

const TICK_MS = 5;
const MIB_KIB = 1024;
const SHOWN_LENGTH = 2000;

async function measured(run: Run, input: RunInput): Promise<Report> {
  let last = performance.now();
  let gapMs = 0;
  const checkGap = (): void => {
    const now = performance.now();
    gapMs = Math.max(gapMs, now - last - TICK_MS);
    last = now;
  };
  const timer = setInterval(checkGap, TICK_MS);
  const cpu = process.cpuUsage();
  const startedAt = last;
  const outcome: Outcome = await run(input);
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  // The timer would miss a blocked event loop at the very end.
  checkGap();
  clearInterval(timer);
  const own = { wallMs, cpuMs: (user + system) / 1000, rssMb: process.resourceUsage().maxRSS / MIB_KIB, gapMs };
  return { measures: { ...own, ...outcome.values }, ...(outcome.digest === undefined ? {} : { digest: outcome.digest }) };
}

process.once('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  void (async () => {
    const { run } = (await import(order.module)) as { readonly run: Run };
    process.send?.(await measured(run, order.input));
  })().catch((error: unknown) => {
    // Errors are shortened, because drivers include whole queries in them.
    const failure: Failure = { failure: String(error instanceof Error ? error.stack : error).slice(0, SHOWN_LENGTH) };
    process.send?.(failure, () => process.exit(1));
  });
});
