import { firstDueAt, GIVEN_UP } from '../domain/delivery.js';
import { bodyOf, TEST_EVENT, wants, type HeardEvent } from '../domain/webhook.js';
import type { Ports } from './ports.js';

/**
 * Creates a delivery for each webhook that wants an event. Can be repeated. For a disabled webhook, the delivery is created as failed, so that it can
 * be replayed once the webhook is enabled again.
 */
export async function recordEvent(ports: Ports, event: HeardEvent): Promise<void> {
  const { webhooks, deliveries, wakeSender } = ports;
  const wanting = (await webhooks.listForEvent(event)).filter((webhook) => wants(webhook, event));
  const time = Date.parse(event.time);
  const dueAt = firstDueAt(ports.clock.now(), event.storedAt);
  for (const webhook of wanting) {
    const isDue = webhook.enabled || event.type === TEST_EVENT;
    await deliveries.insert({
      eventId: event.id,
      webhookId: webhook.id,
      institutionId: webhook.institutionId,
      type: event.type,
      body: bodyOf(event),
      state: 'pending',
      attempts: 0,
      createdAt: time,
      dueAt,
      lastAttemptAt: null,
      lastStatus: null,
      lastProblem: null,
      deliveredAt: null,
      version: 0,
      ...(!isDue && GIVEN_UP),
    });
    if (isDue) await webhooks.wake(webhook, dueAt);
  }
  if (wanting.length > 0) wakeSender();
}
