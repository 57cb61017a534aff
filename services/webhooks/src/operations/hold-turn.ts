import { startPeriodic, type Logger } from '@stechuhr/kernel';
import type { Turn, WebhookStore } from './ports.js';

const RENEWALS_PER_LEASE = 3;

export interface Holding {
  readonly webhooks: Pick<WebhookStore, 'renew'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A turn whose lease is renewed while its requests are running. */
export interface HeldTurn {
  /** Aborts when another process may take the webhook, or when it was deleted. */
  readonly lost: AbortSignal;
  /** The turn with the current webhook; undefined if the lease is lost. */
  refresh(): Promise<Turn | undefined>;
  /**
   * Stops renewing.
   * @returns the turn as it was last renewed
   */
  stop(): Promise<Turn>;
}

export function holdTurn({ webhooks, logger }: Holding, taken: Turn): HeldTurn {
  const lost = new AbortController();
  let turn = taken;
  let last: Promise<unknown> = Promise.resolve();
  const renew = async (): Promise<Turn | undefined> => {
    const renewed = await webhooks.renew(turn);
    if (renewed === undefined) lost.abort(new Error('The lease is lost.'));
    else turn = renewed;
    return renewed;
  };
  // One after the other, since each renewal builds on the previous one.
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
      return turn;
    },
  };
}
