import type { Webhook } from '../domain/webhook.js';
import type { Tenant } from '../operations/ports.js';
import type { WebhookDocument } from './webhook-model.js';

/** Excludes the outbox, which only the relay reads. */
export const WITHOUT_OUTBOX = { outbox: 0 } as const;

/** Selects the webhooks of an institution that are not deleted. */
export function present({ institutionId }: Tenant): Pick<WebhookDocument, 'institution_id' | 'deleted_at'> {
  return { institution_id: institutionId, deleted_at: null };
}

export function keyOf({
  id,
  institutionId,
}: Pick<Webhook, 'id' | 'institutionId'>): Pick<WebhookDocument, '_id' | 'institution_id' | 'deleted_at'> {
  return { _id: id, ...present({ institutionId }) };
}

/** What the store alone sets. */
type State = 'slot' | 'due_at' | 'lease_id' | 'lease_until' | 'lost_leases' | 'rests_until' | 'deleted_at' | 'outbox';
type Fields = Omit<WebhookDocument, '_id' | 'institution_id' | State>;
type Stored = Fields & Pick<WebhookDocument, '_id' | 'institution_id'>;

/** The fields of a webhook as they are stored. */
export function toFields(webhook: Webhook): Fields {
  const [previous, ...older] = webhook.previousSecrets;
  return {
    url: webhook.url,
    description: webhook.description,
    event_types: webhook.eventTypes,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    disabled_at: toDate(webhook.disabledAt),
    failing_since: toDate(webhook.failingSince),
    created_at: new Date(webhook.createdAt),
    events_from: new Date(webhook.eventsFrom),
    modified_at: new Date(webhook.modifiedAt),
    secret: webhook.secret,
    previous_secret: previous?.secret ?? null,
    previous_secret_until: toDate(previous?.until ?? null),
    older_secrets: older.map(({ secret, until }) => ({ secret, until: new Date(until) })),
    version: webhook.version,
  };
}

export function toWebhook(document: Stored): Webhook {
  const { previous_secret: secret, previous_secret_until: until, older_secrets: older = [] } = document;
  const previous = secret === null || until === null ? [] : [{ secret, until }, ...older];
  return {
    id: document._id,
    institutionId: document.institution_id,
    url: document.url,
    description: document.description,
    eventTypes: document.event_types,
    enabled: document.enabled,
    disabledReason: document.disabled_reason,
    disabledAt: document.disabled_at?.getTime() ?? null,
    failingSince: document.failing_since?.getTime() ?? null,
    createdAt: document.created_at.getTime(),
    eventsFrom: (document.events_from ?? document.created_at).getTime(),
    modifiedAt: document.modified_at.getTime(),
    secret: document.secret,
    previousSecrets: previous.map((one) => ({ secret: one.secret, until: one.until.getTime() })),
    version: document.version,
  };
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
