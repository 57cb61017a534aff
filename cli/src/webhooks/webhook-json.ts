import { webhooksV1 } from '@stechuhr/contracts';
import { formatLocalDateTime } from '@stechuhr/worktime';

const { DeliveryState: State, DisabledReason: Reason } = webhooksV1;

const reasons: Readonly<Record<number, string>> = {
  [Reason.DISABLED_REASON_MANUAL]: 'manual',
  [Reason.DISABLED_REASON_GONE]: 'gone',
  [Reason.DISABLED_REASON_FAILING]: 'failing',
};

const states: Readonly<Record<number, string>> = {
  [State.DELIVERY_STATE_PENDING]: 'pending',
  [State.DELIVERY_STATE_DELIVERED]: 'delivered',
  [State.DELIVERY_STATE_DEAD]: 'dead',
};

/** A webhook as the API returns it. */
export function shownWebhook(webhook: webhooksV1.Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description ?? null,
    event_types: webhook.eventTypes?.types ?? null,
    enabled: webhook.enabled,
    disabled_reason: reasons[webhook.disabledReason] ?? null,
    disabled_at: local(webhook.disabledAt),
    failing_since: local(webhook.failingSince),
    previous_secret_until: local(webhook.previousSecretUntil),
    created_at: formatLocalDateTime(webhook.createdAt),
    modified_at: formatLocalDateTime(webhook.modifiedAt),
  };
}

/** A delivery as the API returns it. */
export function shownDelivery(delivery: webhooksV1.Delivery) {
  return {
    id: delivery.id,
    event_type: delivery.eventType,
    state: states[delivery.state] ?? '',
    attempts: delivery.attempts,
    created_at: formatLocalDateTime(delivery.createdAt),
    last_attempt_at: local(delivery.lastAttemptAt),
    last_response_status: delivery.lastResponseStatus ?? null,
    last_problem: delivery.lastProblem === '' ? null : delivery.lastProblem,
    next_attempt_at: local(delivery.nextAttemptAt),
    delivered_at: local(delivery.deliveredAt),
  };
}

function local(instant: number | undefined): string | null {
  return instant === undefined ? null : formatLocalDateTime(instant);
}
