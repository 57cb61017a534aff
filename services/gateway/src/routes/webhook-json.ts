import { webhooksV1 } from '@stechuhr/contracts';
import { formatLocalDateTime } from '@stechuhr/worktime';
import { localTimeOf, wordFor } from '../openapi/shape.js';

const { DisabledReason: Reason, DeliveryState: State } = webhooksV1;

const reasons = {
  [Reason.DISABLED_REASON_MANUAL]: 'manual',
  [Reason.DISABLED_REASON_GONE]: 'gone',
  [Reason.DISABLED_REASON_FAILING]: 'failing',
};

const states = {
  [State.DELIVERY_STATE_PENDING]: 'pending',
  [State.DELIVERY_STATE_DELIVERED]: 'delivered',
  [State.DELIVERY_STATE_DEAD]: 'dead',
};

/** Returns a webhook without its secret. */
export function webhookJson(webhook: webhooksV1.Webhook) {
  const { disabledReason: reason } = webhook;
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description ?? null,
    event_types: webhook.eventTypes?.types ?? null,
    enabled: webhook.enabled,
    disabled_reason: reason === Reason.DISABLED_REASON_UNSPECIFIED ? null : wordFor(reasons, reason),
    disabled_at: localTimeOf(webhook.disabledAt),
    failing_since: localTimeOf(webhook.failingSince),
    previous_secret_until: localTimeOf(webhook.previousSecretUntil),
    created_at: formatLocalDateTime(webhook.createdAt),
    modified_at: formatLocalDateTime(webhook.modifiedAt),
  };
}

export function deliveryJson(delivery: webhooksV1.Delivery) {
  return {
    id: delivery.id,
    event_type: delivery.eventType,
    state: wordFor(states, delivery.state),
    attempts: delivery.attempts,
    created_at: formatLocalDateTime(delivery.createdAt),
    last_attempt_at: localTimeOf(delivery.lastAttemptAt),
    last_response_status: delivery.lastResponseStatus ?? null,
    last_problem: delivery.lastProblem === '' ? null : delivery.lastProblem,
    next_attempt_at: localTimeOf(delivery.nextAttemptAt),
    delivered_at: localTimeOf(delivery.deliveredAt),
  };
}
