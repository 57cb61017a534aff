import { firstDueAt, GIVEN_UP, isTimeToTrim, MAX_DELIVERIES } from '../domain/delivery.js';
import { bodyOf, TEST_EVENT, wants, type PlatformEvent, type Webhook } from '../domain/webhook.js';
import type { Ports } from './ports.js';
import { recheckGivenUp } from './recheck-given-up.js';

/**
 * Creates a delivery for each webhook that subscribes to an event. It can be repeated. For a disabled webhook, the delivery is created as
 * dead, so that it can be replayed once the webhook is enabled.
 */
export async function recordEvent(ports: Ports, event: PlatformEvent): Promise<void> {
  const subscribed = (await ports.webhooks.listForEvent(event)).filter((webhook) => wants(webhook, event));
  // At the same time, so that the store writes them together.
  await Promise.all(subscribed.map((webhook) => recordFor(ports, webhook, event)));
  if (subscribed.length > 0) ports.wakeSender();
}

async function recordFor(ports: Ports, webhook: Webhook, event: PlatformEvent): Promise<void> {
  const { webhooks, deliveries, clock } = ports;
  const isDue = webhook.enabled || event.type === TEST_EVENT;
  const dueAt = firstDueAt(clock.now(), event.storedAt);
  const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
  const isNew = await deliveries.insert({
    ...key,
    eventId: event.id,
    type: event.type,
    body: bodyOf(event),
    state: 'pending',
    attempts: 0,
    createdAt: Date.parse(event.time),
    traceparent: event.traceparent,
    dueAt,
    lastAttemptAt: null,
    lastStatus: null,
    lastProblem: null,
    deliveredAt: null,
    version: 0,
    ...(!isDue && GIVEN_UP),
  });
  // One that exists may have been given up by a process that was killed before it checked the webhook again.
  if (isDue && !isNew) await recheckGivenUp(ports, webhook, [event.id]);
  const isThere = isDue ? await webhooks.wake(webhook, dueAt) : await recheckGivenUp(ports, webhook, [event.id]);
  // It was deleted since it was listed; its deletion may not have found this delivery.
  if (!isThere) await deliveries.remove(key, event.id);
  else if (isTimeToTrim(event.id)) await deliveries.trim(key, MAX_DELIVERIES);
}
