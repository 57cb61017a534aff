import { Schema, type Connection, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';

/** A manual rule as stored: dates as days since 1970-01-01, the amount in hundredths. */
export interface RuleDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly employee_id: string;
  readonly label: string;
  readonly missing_type: string;
  readonly amount: number;
  readonly priority: number;
  readonly available_from: number;
  readonly expires_at: number;
  /** The time of the last write. */
  readonly written_at: Date;
  readonly deleted_at: Date | null;
  readonly outbox: readonly CloudEvent[];
}

const schema = new Schema<RuleDocument>(
  {
    _id: { type: String, required: true },
    institution_id: { type: String, required: true },
    employee_id: { type: String, required: true },
    label: { type: String, required: true },
    missing_type: { type: String, required: true },
    amount: { type: Number, required: true },
    priority: { type: Number, required: true },
    available_from: { type: Number, required: true },
    expires_at: { type: Number, required: true },
    written_at: { type: Date, required: true },
    deleted_at: { type: Date, default: null },
    outbox: { type: [Schema.Types.Mixed], default: [] },
  },
  { collection: 'absence_rules', versionKey: false },
);
// The second index covers the queries that count positions.
schema.index({ institution_id: 1, employee_id: 1 });
schema.index({ institution_id: 1, deleted_at: 1, available_from: 1, priority: 1, employee_id: 1 });
schema.index(...outboxIndex);

export function ruleModel(connection: Connection): Model<RuleDocument> {
  return connection.model<RuleDocument>('AbsenceRule', schema);
}
