import { Schema, type Connection, type Model } from 'mongoose';
import type { DeliveryState, Problem } from '../domain/delivery.js';

export interface DeliveryDocument {
  /** `<webhook>:<event>` */
  readonly _id: string;
  readonly institution_id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly body: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly created_at: Date;
  /** Missing in deliveries of earlier versions. */
  readonly traceparent?: string | null;
  /** `NEVER` unless the delivery is pending. */
  readonly due_at: Date;
  readonly last_attempt_at: Date | null;
  readonly last_status: number | null;
  readonly last_problem: Problem | null;
  readonly delivered_at: Date | null;
  readonly version: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;
const maybeDate = { type: Date, default: null } as const;

const schema = new Schema<DeliveryDocument>(
  {
    _id: text,
    institution_id: text,
    webhook_id: text,
    event_id: text,
    event_type: text,
    body: text,
    state: text,
    attempts: number,
    created_at: date,
    traceparent: { type: String, default: null },
    due_at: date,
    last_attempt_at: maybeDate,
    last_status: { type: Number, default: null },
    last_problem: { type: String, default: null },
    delivered_at: maybeDate,
    version: number,
  },
  { collection: 'deliveries', versionKey: false },
);
schema.index({ institution_id: 1, webhook_id: 1, created_at: -1, _id: 1 });
// For replays and for lists filtered by state: finds the few dead deliveries among the many others.
schema.index({ institution_id: 1, webhook_id: 1, state: 1, created_at: 1, _id: 1 });
schema.index({ institution_id: 1, webhook_id: 1, due_at: 1 });
schema.index({ created_at: 1 });

export function deliveryModel(connection: Connection): Model<DeliveryDocument> {
  return connection.model<DeliveryDocument>('Delivery', schema);
}
