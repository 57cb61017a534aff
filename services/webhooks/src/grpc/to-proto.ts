import { webhooksV1 } from '@stechuhr/contracts';
import type { DeliveryState } from '../domain/delivery.js';
import type { DisabledReason, Webhook } from '../domain/webhook.js';
import type { ListedDelivery } from '../operations/ports.js';

const { DeliveryState: State, DisabledReason: Reason } = webhooksV1;

const reasons: Readonly<Record<DisabledReason, webhooksV1.DisabledReason>> = {
  manual: Reason.DISABLED_REASON_MANUAL,
  gone: Reason.DISABLED_REASON_GONE,
  failing: Reason.DISABLED_REASON_FAILING,
};

const states: Readonly<Record<DeliveryState, webhooksV1.DeliveryState>> = {
  pending: State.DELIVERY_STATE_PENDING,
  delivered: State.DELIVERY_STATE_DELIVERED,
  dead: State.DELIVERY_STATE_DEAD,
};

/** Converts a webhook without its secrets. */
export function webhookToProto({ disabledReason, eventTypes, ...webhook }: Webhook): webhooksV1.Webhook {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description ?? undefined,
    eventTypes: eventTypes === null ? undefined : { types: [...eventTypes] },
    enabled: webhook.enabled,
    disabledReason: disabledReason === null ? Reason.DISABLED_REASON_UNSPECIFIED : reasons[disabledReason],
    disabledAt: maybeSeconds(webhook.disabledAt),
    failingSince: maybeSeconds(webhook.failingSince),
    createdAt: toSeconds(webhook.createdAt),
    modifiedAt: toSeconds(webhook.modifiedAt),
    previousSecretUntil: maybeSeconds(webhook.previousSecrets[0]?.until ?? null),
  };
}

export function deliveryToProto(delivery: ListedDelivery): webhooksV1.Delivery {
  return {
    id: delivery.eventId,
    eventType: delivery.type,
    state: states[delivery.state],
    attempts: delivery.attempts,
    createdAt: toSeconds(delivery.createdAt),
    lastAttemptAt: maybeSeconds(delivery.lastAttemptAt),
    lastResponseStatus: delivery.lastStatus ?? undefined,
    lastProblem: delivery.lastProblem ?? '',
    nextAttemptAt: maybeSeconds(delivery.dueAt),
    deliveredAt: maybeSeconds(delivery.deliveredAt),
  };
}

function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}

function maybeSeconds(time: number | null): number | undefined {
  return time === null ? undefined : toSeconds(time);
}
