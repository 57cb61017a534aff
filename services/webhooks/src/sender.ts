import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { startPeriodic } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import { KEPT_MS } from './domain/delivery.js';
import { purgeDeleted, repeatRemovals } from './operations/manage-webhooks.js';
import type { Ports, WebhookLease } from './operations/ports.js';
import { sendDue } from './operations/send-due.js';

const SWEEP_MS = 1_000;
const CLEANUP_MS = 600_000;
/** The maximum number of webhooks that are served concurrently. Most of them wait for their targets. */
const MAX_LEASES = 256;

/** Sends due deliveries, and removes those that are no longer needed, in the background. */
export interface Sender {
  /** Looks for due deliveries. Does not wait. */
  wake(): void;
  /** Starts no further requests and waits for those that are running. */
  stop(): Promise<void>;
}

/**
 * Starts the sender. Each process takes leases on due webhooks, and only one process serves a webhook at a time. A slow target delays only
 * its own events.
 */
export function startSender(ports: Ports, logger: Logger, sweepMs = SWEEP_MS): Sender {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const run = (lease: WebhookLease) => {
    // Not in the trace of what woke the sender: that may belong to another institution, and requests carry the state of their trace.
    const done = context
      .with(ROOT_CONTEXT, () => sendDue({ ...ports, logger }, lease, stopping.signal))
      .catch((caught: unknown) => logger.warn({ err: caught, webhook_id: lease.webhook.id }, 'sending to a webhook was interrupted'))
      .finally(() => running.delete(done));
    running.add(done);
  };
  const takeDue = async (signal: AbortSignal) => {
    while (!signal.aborted && running.size < MAX_LEASES) {
      const leases = await ports.webhooks.take(MAX_LEASES - running.size);
      for (const lease of leases) run(lease);
      if (leases.length === 0) return;
    }
  };
  const sweep = startPeriodic(takeDue, { intervalMs: sweepMs, atOnce: true, logger, failure: 'due webhooks cannot be read' });
  const purge = (signal: AbortSignal) => purgeDeleted(ports, signal);
  const purging = startPeriodic(purge, { intervalMs: sweepMs, atOnce: true, logger, failure: 'deleted webhooks are not removed yet' });
  const cleanUp = async () => {
    await ports.deliveries.removeBefore(ports.clock.now() - KEPT_MS);
    await repeatRemovals(ports);
  };
  const cleanup = startPeriodic(cleanUp, { intervalMs: CLEANUP_MS, atOnce: true, logger, failure: 'old data is not removed yet' });
  return {
    wake: () => void sweep.now(),
    async stop() {
      stopping.abort();
      await Promise.all([sweep.stop(), purging.stop(), cleanup.stop()]);
      await Promise.all(running);
    },
  };
}
