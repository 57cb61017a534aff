import { firstDueAt, GIVEN_UP, isTimeToTrim, MAX_DELIVERIES } from '../domain/delivery.js';
import { bodyOf, TEST_EVENT, wants, type PlatformEvent } from '../domain/webhook.js';
import type { Ports } from './ports.js';

/**
 * Creates a delivery for each webhook that subscribes to an event. It can be repeated. For a disabled webhook, the delivery is created as
 * dead, so that it can be replayed once the webhook is enabled.
 */
export async function recordEvent(ports: Ports, event: PlatformEvent): Promise<void> {
  const { webhooks, deliveries, wakeSender } = ports;
  const subscribed = (await webhooks.listForEvent(event)).filter((webhook) => wants(webhook, event));
  const time = Date.parse(event.time);
  const dueAt = firstDueAt(ports.clock.now(), event.storedAt);
  for (const webhook of subscribed) {
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
      traceparent: event.traceparent,
      dueAt,
      lastAttemptAt: null,
      lastStatus: null,
      lastProblem: null,
      deliveredAt: null,
      version: 0,
      ...(!isDue && GIVEN_UP),
    });
    const isThere = isDue ? await webhooks.wake(webhook, dueAt) : (await webhooks.find(webhook, webhook.id)) !== undefined;
    const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
    // It was deleted since it was listed; its deletion may not have found this delivery.
    if (!isThere) await deliveries.remove(key, event.id);
    else if (isTimeToTrim(event.id)) await deliveries.trim(key, MAX_DELIVERIES);
  }
  if (subscribed.length > 0) wakeSender();
}
