import { replayed } from '../domain/delivery.js';
import type { Webhook } from '../domain/webhook.js';
import type { Ports } from './ports.js';

/**
 * Called after deliveries were given up because their webhook was disabled when it was read. If it has been enabled meanwhile, they become due again: the
 * replay of whoever enabled it may have run before they were given up.
 *
 * @returns whether the webhook still exists
 */
export async function recheckGivenUp(
  { webhooks, deliveries, clock }: Pick<Ports, 'webhooks' | 'deliveries' | 'clock'>,
  { id, institutionId }: Pick<Webhook, 'id' | 'institutionId'>,
  eventIds: readonly string[],
): Promise<boolean> {
  const current = await webhooks.find({ institutionId }, id);
  if (current?.enabled !== true) return current !== undefined;
  for (const eventId of eventIds) {
    const delivery = await deliveries.find({ webhookId: id, institutionId }, eventId);
    // If it cannot be saved, something else has made it due.
    if (delivery?.lastProblem === 'disabled') await deliveries.save(delivery, replayed(clock.now()));
  }
  return webhooks.wake(current);
}
