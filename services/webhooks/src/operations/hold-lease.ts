import { startPeriodic, type Logger } from '@stechuhr/kernel';
import type { WebhookLease, WebhookStore } from './ports.js';

const RENEWALS_PER_LEASE = 3;

export interface Holding {
  readonly webhooks: Pick<WebhookStore, 'renew'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A lease that is renewed regardless of how long its requests take. */
export interface HeldLease {
  /** Aborts when the lease has ended, so that others may take the webhook, or when the webhook was deleted. */
  readonly lost: AbortSignal;
  /** Renews the lease and returns it with the current state of the webhook; undefined if the lease is lost. */
  refresh(): Promise<WebhookLease | undefined>;
  /** Stops renewing. @returns the lease after its last renewal */
  stop(): Promise<WebhookLease>;
}

export function holdLease({ webhooks, logger }: Holding, taken: WebhookLease): HeldLease {
  const lost = new AbortController();
  let lease = taken;
  let last: Promise<unknown> = Promise.resolve();
  const renew = async (): Promise<WebhookLease | undefined> => {
    const renewed = await webhooks.renew(lease);
    if (renewed === undefined) lost.abort(new Error('The lease is lost.'));
    else lease = renewed;
    return renewed;
  };
  // Renewals run one after the other, because each one continues from the result of the one before.
  const refresh = () => {
    const next = last.then(renew);
    last = next.catch(() => undefined);
    return next;
  };
  const renewing = startPeriodic(async () => void (await refresh()), {
    intervalMs: taken.leaseMs / RENEWALS_PER_LEASE,
    logger,
    failure: 'the lease of a webhook could not be renewed',
    fields: { webhook_id: taken.webhook.id },
  });
  return {
    lost: lost.signal,
    refresh,
    async stop() {
      await renewing.stop();
      await last;
      return lease;
    },
  };
}
