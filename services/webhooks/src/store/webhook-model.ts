import { Schema, type Connection, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';
import type { DisabledReason } from '../domain/webhook.js';

export interface WebhookDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly event_types: readonly string[] | null;
  readonly enabled: boolean;
  readonly disabled_reason: DisabledReason | null;
  readonly disabled_at: Date | null;
  readonly failing_since: Date | null;
  readonly created_at: Date;
  /** The same by the clock of the bus. Absent in webhooks of version 0.2. */
  readonly events_from?: Date;
  readonly modified_at: Date;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_secret_until: Date | null;
  /** Secrets before the previous one, the latest first. Absent in webhooks of version 0.2. */
  readonly older_secrets?: readonly { readonly secret: string; readonly until: Date }[];
  /** Increases with each change by an administrator, or of `enabled`. */
  readonly version: number;
  /** When a process has to look for due deliveries; `NEVER` if there are none. Of a deleted webhook, when its deliveries have to be deleted. */
  readonly due_at: Date;
  readonly lease_id: string | null;
  readonly lease_until: Date;
  /** The number of leases in a row that ended with their process. Absent in webhooks of earlier versions. */
  readonly lost_leases?: number;
  /**
   * Until when the webhook is not taken, because all of its requests have failed. Null during a lease, unless an administrator has woken it
   * since the lease was taken. Absent in webhooks of version 0.2.
   */
  readonly rests_until?: Date | null;
  /** Its number among the webhooks of the institution. It is unique, so that their number can be limited under concurrent writes. */
  readonly slot?: number;
  readonly deleted_at: Date | null;
  /** Until when at least the document of a deleted webhook is kept, so that all of its deliveries can be deleted. */
  readonly marker_until?: Date;
  readonly outbox: readonly CloudEvent[];
}

const text = { type: String, required: true } as const;
const maybeText = { type: String, default: null } as const;
const date = { type: Date, required: true } as const;
const maybeDate = { type: Date, default: null } as const;

const schema = new Schema<WebhookDocument>(
  {
    _id: text,
    institution_id: text,
    url: text,
    description: maybeText,
    event_types: { type: [String], default: null },
    enabled: { type: Boolean, required: true },
    disabled_reason: maybeText,
    disabled_at: maybeDate,
    failing_since: maybeDate,
    created_at: date,
    events_from: { type: Date },
    modified_at: date,
    secret: text,
    previous_secret: maybeText,
    previous_secret_until: maybeDate,
    older_secrets: { type: [Schema.Types.Mixed], default: [] },
    version: { type: Number, required: true },
    due_at: date,
    lease_id: maybeText,
    lease_until: date,
    lost_leases: { type: Number, default: 0 },
    rests_until: maybeDate,
    slot: { type: Number },
    deleted_at: maybeDate,
    marker_until: { type: Date },
    outbox: { type: [Schema.Types.Mixed], default: [] },
  },
  { collection: 'webhooks', versionKey: false },
);
schema.index({ institution_id: 1, deleted_at: 1, created_at: 1 });
schema.index({ deleted_at: 1, due_at: 1 });
schema.index({ institution_id: 1, slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } });
schema.index(...outboxIndex);

export function webhookModel(connection: Connection): Model<WebhookDocument> {
  return connection.model<WebhookDocument>('Webhook', schema);
}
