import { restAfter } from '../domain/backoff.js';
import { afterAttempt, GIVEN_UP, type Answer, type Delivery } from '../domain/delivery.js';
import { signatureOf } from '../domain/signature.js';
import { hasFailedForLong, secretsAt, TEST_EVENT, type Webhook } from '../domain/webhook.js';
import { countAttempt } from '../metrics.js';
import { holdTurn, type HeldTurn, type Holding } from './hold-turn.js';
import type { Ports, Turn, WebhookKey } from './ports.js';

/** How many deliveries a turn reads at a time. */
const BATCH = 16;
/** After this many batches, a turn yields to other webhooks; its webhook is due again at once. */
const BATCHES = 64;

/**
 * Sends the due deliveries of a webhook. A turn ends when nothing is left, or when every request of a batch has failed; the webhook then pauses,
 * however much is due. If the result of a request could not be stored, the request is repeated.
 */
export async function sendDue(ports: Ports & Pick<Holding, 'logger'>, taken: Turn, stopping: AbortSignal): Promise<void> {
  const { deliveries, webhooks } = ports;
  const held = holdTurn(ports, taken);
  let turn = taken;
  let restsUntil = 0;
  try {
    restsUntil = await sendBatches(ports, held, AbortSignal.any([held.lost, stopping]));
  } finally {
    turn = await held.stop();
  }
  if (held.lost.aborted) return;
  const next = await deliveries.nextDue(keyOf(turn));
  await webhooks.release(turn, next === undefined ? undefined : Math.max(next, restsUntil));
}

/** The result for a delivery in a turn: `given up` without a request, `failed` will be retried. */
type Settled = 'succeeded' | 'given up' | 'failed' | 'died';

/** @returns until when the webhook pauses */
async function sendBatches(ports: Ports, held: HeldTurn, signal: AbortSignal): Promise<number> {
  const { deliveries, clock } = ports;
  for (let batch = 0; batch < BATCHES && !signal.aborted; batch++) {
    const turn = await held.refresh();
    if (turn === undefined) break;
    const { webhook } = turn;
    const due = await deliveries.due(keyOf(turn), BATCH);
    if (due.length === 0) break;
    const settled = await Promise.all(due.map((delivery) => settle(ports, webhook, delivery, signal)));
    // Decided after the whole batch, because another delivery in it may be the first success.
    const isLost = settled.includes('died') && !settled.includes('succeeded') && hasFailedForLong(webhook, clock.now());
    if (isLost) await disable(ports, webhook, 'failing');
    const needsRest = !settled.includes('succeeded') && !settled.includes('given up');
    if (needsRest) return clock.now() + restAfter(webhook.failingSince ?? clock.now(), clock.now());
  }
  return 0;
}

function keyOf({ webhook }: Turn): WebhookKey {
  return { webhookId: webhook.id, institutionId: webhook.institutionId };
}

async function settle(ports: Ports, webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<Settled> {
  if (!webhook.enabled && delivery.type !== TEST_EVENT) return (await ports.deliveries.save(delivery, GIVEN_UP)) ? 'given up' : 'failed';
  const answer = await request(ports, webhook, delivery, signal).catch(() => undefined);
  // The process stops, or the lease is lost, before its turn came; the next turn sends it.
  return answer === undefined ? 'failed' : note(ports, webhook, delivery, answer);
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
  return inRequestSlot(institutionId, attempt, signal);
}

async function note(ports: Ports, webhook: Webhook, delivery: Delivery, answer: Answer): Promise<Settled> {
  const { deliveries, webhooks, clock } = ports;
  const now = clock.now();
  const change = afterAttempt(delivery, answer, now, Math.random());
  // False if it was replayed or deleted meanwhile, which takes precedence.
  await deliveries.save(delivery, change);
  if (answer.problem === null) {
    if (webhook.failingSince !== null) await webhooks.succeeded(webhook);
    return 'succeeded';
  }
  if (webhook.failingSince === null) await webhooks.failed(webhook, now);
  if (answer.status === 410) await disable(ports, webhook, 'gone');
  return change.state === 'dead' ? 'died' : 'failed';
}

async function disable({ webhooks, clock, event, notifyOutbox }: Ports, before: Webhook, reason: 'gone' | 'failing'): Promise<void> {
  if (!before.enabled) return;
  const now = clock.now();
  const after: Webhook = { ...before, enabled: false, disabledReason: reason, disabledAt: now, failingSince: before.failingSince ?? now };
  // Concurrent changes take precedence; the next response decides again.
  await webhooks.replace(before, after, event('webhooks.webhook.disabled', before, { reason }));
  notifyOutbox();
}
