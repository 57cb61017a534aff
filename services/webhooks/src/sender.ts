import { startPeriodic } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import { KEPT_MS } from './domain/delivery.js';
import type { Ports, Turn } from './operations/ports.js';
import { sendDue } from './operations/send-due.js';

const SWEEP_MS = 1_000;
const CLEANUP_MS = 600_000;
/** How many webhooks are handled concurrently; most of them wait for a target. */
const TURNS = 256;

/** Sends due deliveries, without a request. */
export interface Sender {
  /** Starts looking for due deliveries; does not block. */
  wake(): void;
  /** Starts no further requests, and waits for those that are running. */
  stop(): Promise<void>;
}

/**
 * Each process takes webhooks that are due, and each webhook is handled by one process at a time, so that a slow target delays only its own events.
 */
export function startSender(ports: Ports, logger: Logger, sweepMs = SWEEP_MS): Sender {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const run = (turn: Turn) => {
    const done = sendDue({ ...ports, logger }, turn, stopping.signal)
      .catch((caught: unknown) => logger.warn({ err: caught, webhook_id: turn.webhook.id }, 'a turn of a webhook was interrupted'))
      .finally(() => running.delete(done));
    running.add(done);
  };
  const takeDue = async (signal: AbortSignal) => {
    while (!signal.aborted && running.size < TURNS) {
      const turns = await ports.webhooks.take(TURNS - running.size);
      for (const turn of turns) run(turn);
      if (turns.length === 0) return;
    }
  };
  const sweep = startPeriodic(takeDue, { intervalMs: sweepMs, atOnce: true, logger, failure: 'what is due cannot be read' });
  const cleanUp = () => ports.deliveries.removeBefore(ports.clock.now() - KEPT_MS);
  const cleanup = startPeriodic(cleanUp, { intervalMs: CLEANUP_MS, atOnce: true, logger, failure: 'old deliveries are not removed yet' });
  return {
    wake: () => void sweep.now(),
    async stop() {
      stopping.abort();
      await Promise.all([sweep.stop(), cleanup.stop()]);
      await Promise.all(running);
    },
  };
}
