import { restAfter } from '../domain/backoff.js';
import { afterAttempt, GIVEN_UP, isDueForLong, type Answer, type Delivery } from '../domain/delivery.js';
import { signatureOf } from '../domain/signature.js';
import { hasFailedForLong, secretsAt, TEST_EVENT, type Webhook } from '../domain/webhook.js';
import { countAttempt } from '../metrics.js';
import { holdLease, type HeldLease, type Holding } from './hold-lease.js';
import type { Ports, WebhookLease, WebhookKey } from './ports.js';
import { recheckGivenUp } from './recheck-given-up.js';

/** The number of deliveries that are read and sent together. */
const BATCH = 16;
/**
 * The maximum number of batches of one lease, and how long they may begin, so that other webhooks get their turn. The webhook is then due again at
 * once, behind those that wait already.
 */
const BATCHES = 64;
const TURN_MS = 10_000;

/**
 * Sends the due deliveries of a webhook. It ends when none is left or when every request of a batch has failed; in this case the webhook is
 * paused, even if more is due. A delivery whose outcome could not be stored is sent again.
 */
export async function sendDue(ports: Ports & Pick<Holding, 'logger'>, taken: WebhookLease, stopping: AbortSignal): Promise<void> {
  const { deliveries, webhooks } = ports;
  const held = holdLease(ports, taken);
  let lease = taken;
  let restsUntil = 0;
  const { webhook, lostLeases } = taken;
  if (lostLeases > 1)
    ports.logger.warn({ webhook_id: webhook.id, lost_leases: lostLeases }, 'processes have ended while they sent to a webhook');
  try {
    restsUntil = await sendBatches(ports, held, AbortSignal.any([held.lost, stopping]));
  } finally {
    lease = await held.stop();
  }
  if (held.lost.aborted) return;
  await webhooks.release(lease, { dueAt: await deliveries.nextDue(keyOf(lease)), restsUntil });
}

/**
 * The outcome of a delivery. `given up`: the webhook is disabled, so no request was sent; `not sent`: the lease has ended; `failed`: it will
 * be tried again; `died`: this was the last attempt.
 */
type Settled = 'succeeded' | 'given up' | 'not sent' | 'failed' | 'died';

/** @returns until when the webhook is paused */
async function sendBatches(ports: Ports, held: HeldLease, signal: AbortSignal): Promise<number> {
  const { deliveries, clock } = ports;
  const endsAt = clock.now() + TURN_MS;
  for (let batch = 0; batch < BATCHES && clock.now() < endsAt && !signal.aborted; batch++) {
    const lease = await held.refresh();
    if (lease === undefined) break;
    const { webhook } = lease;
    const due = await deliveries.due(keyOf(lease), BATCH);
    if (due.length === 0) break;
    const settled = await settleAll(ports, webhook, due, signal);
    const hasFailed = settled.includes('failed') || settled.includes('died');
    // Decided after the whole batch, because another delivery of it may have succeeded.
    const needsRest = hasFailed && !settled.includes('succeeded') && !settled.includes('given up');
    const isLast = settled.includes('died') || due.some((delivery) => isDueForLong(delivery, clock.now()));
    if (needsRest && isLast && hasFailedForLong(webhook, clock.now())) await disable(ports, webhook, 'failing');
    if (needsRest) return clock.now() + restAfter(webhook.failingSince ?? clock.now(), clock.now());
  }
  return 0;
}

function keyOf({ webhook }: WebhookLease): WebhookKey {
  return { webhookId: webhook.id, institutionId: webhook.institutionId };
}

async function settleAll(ports: Ports, webhook: Webhook, due: readonly Delivery[], signal: AbortSignal): Promise<readonly Settled[]> {
  const one = (delivery: Delivery) => ports.inTrace(delivery.traceparent, () => settle(ports, webhook, delivery, signal));
  const settled = await Promise.all(due.map(one));
  const givenUp = due.filter((_, at) => settled[at] === 'given up').map(({ eventId }) => eventId);
  if (givenUp.length > 0) await recheckGivenUp(ports, webhook, givenUp);
  return settled;
}

async function settle(ports: Ports, webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<Settled> {
  if (!webhook.enabled && delivery.type !== TEST_EVENT) return (await ports.deliveries.save(delivery, GIVEN_UP)) ? 'given up' : 'failed';
  const answer = await request(ports, webhook, delivery, signal).catch(() => undefined);
  // The process is stopping or the lease was lost before the request was sent; the next lease sends it.
  if (answer === undefined) return signal.aborted ? 'not sent' : 'failed';
  return recordAttempt(ports, webhook, delivery, answer);
}

function request(ports: Ports, webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<Answer> {
  const { inRequestSlot, send, clock } = ports;
  const { url, institutionId } = webhook;
  const attempt = async () => {
    const timestamp = Math.floor(clock.now() / 1000);
    const content = { id: delivery.eventId, timestamp, body: delivery.body };
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Stechuhr-Webhooks',
      'webhook-id': content.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(content, secretsAt(webhook, clock.now())),
    };
    const startedAt = performance.now();
    const answer = await send({ url, headers, body: delivery.body });
    countAttempt(answer, (performance.now() - startedAt) / 1000);
    return answer;
  };
  return inRequestSlot(institutionId, attempt, { signal });
}

async function recordAttempt(ports: Ports, webhook: Webhook, delivery: Delivery, answer: Answer): Promise<Settled> {
  const { deliveries, webhooks, clock } = ports;
  const now = clock.now();
  // Decided first: if an administrator has changed the webhook since the request was sent, its new target gets the event, too.
  const isGone = answer.status === 410 && (await disable(ports, webhook, 'gone'));
  const change = afterAttempt(delivery, { ...answer, isGone }, now, Math.random());
  // Returns false if the delivery was replayed or deleted in the meantime, which takes precedence.
  await deliveries.save(delivery, change);
  if (answer.problem === null) {
    if (webhook.failingSince !== null) await webhooks.succeeded(webhook);
    return 'succeeded';
  }
  if (webhook.failingSince === null) await webhooks.failed(webhook, now);
  return change.state === 'dead' ? 'died' : 'failed';
}

/** Disables a webhook. @returns whether it is disabled, by this call or another one */
async function disable({ webhooks, clock, event, notifyOutbox }: Ports, before: Webhook, reason: 'gone' | 'failing'): Promise<boolean> {
  if (!before.enabled) return true;
  const now = clock.now();
  const after: Webhook = { ...before, enabled: false, disabledReason: reason, disabledAt: now, failingSince: before.failingSince ?? now };
  // If an administrator changed it in the meantime, it is not disabled; the next response decides again.
  const isReplaced = await webhooks.replace(before, after, event('webhooks.webhook.disabled', before, { reason }));
  notifyOutbox();
  return isReplaced || (await webhooks.find(before, before.id))?.enabled !== true;
}
