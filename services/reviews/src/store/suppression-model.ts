import { Schema, type Connection, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';

/** A suppression rule as it is stored: dates as days since 1970-01-01. */
export interface SuppressionDocument {
  readonly _id: string;
  /** `<institution>/<code>/<employee>/<valid_from>`, which is unique. A deleted rule has no key. */
  readonly key?: string;
  readonly institution_id: string;
  readonly code: string;
  readonly employee_id: string | null;
  readonly valid_from: number;
  /** Permanent rules have the day `FOR_EVER`, so that one condition covers both cases. */
  readonly valid_to: number;
  readonly created_at: Date;
  readonly modified_at: Date;
  readonly deleted_at: Date | null;
  readonly outbox: readonly CloudEvent[];
}

const schema = new Schema<SuppressionDocument>(
  {
    _id: { type: String, required: true },
    key: { type: String },
    institution_id: { type: String, required: true },
    code: { type: String, required: true },
    employee_id: { type: String, default: null },
    valid_from: { type: Number, required: true },
    valid_to: { type: Number, required: true },
    created_at: { type: Date, required: true },
    modified_at: { type: Date, required: true },
    deleted_at: { type: Date, default: null },
    outbox: { type: [Schema.Types.Mixed], default: [] },
  },
  { collection: 'suppressions', versionKey: false },
);
// Excludes deleted rules, which have no key.
schema.index({ institution_id: 1, key: 1 }, { unique: true, partialFilterExpression: { key: { $exists: true } } });
schema.index({ institution_id: 1, deleted_at: 1, valid_from: 1, _id: 1 });
schema.index({ institution_id: 1, employee_id: 1 });
schema.index({ institution_id: 1, modified_at: 1 });
schema.index(...outboxIndex);

export function suppressionModel(connection: Connection): Model<SuppressionDocument> {
  return connection.model<SuppressionDocument>('Suppression', schema);
}
