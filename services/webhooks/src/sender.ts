import { startPeriodic } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import { KEPT_MS } from './domain/delivery.js';
import type { Ports, Turn } from './operations/ports.js';
import { sendDue } from './operations/send-due.js';

const SWEEP_MS = 1_000;
const CLEANUP_MS = 600_000;
/** Webhooks at a time, of which most wait for a target. */
const TURNS = 256;

/** Sends what is due without anybody asking. */
export interface Sender {
  /** Looks for what is due; returns at once. */
  wake(): void;
  /** Begins nothing more, and waits for the requests that run. */
  stop(): Promise<void>;
}

/** Each process takes the webhooks that are due, and a webhook is taken by one process at a time: a slow target holds up its own events only. */
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
