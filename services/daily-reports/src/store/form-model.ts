import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';
import { Schema, type Connection, type Model } from 'mongoose';
import type { FormField } from '../domain/form.js';

/** A form as it is stored; its first day as days since 1970-01-01. */
export interface FormDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly valid_from: number;
  /** `<institution>/<valid_from>`, which is unique. A deleted form has no key. */
  readonly key?: string;
  readonly fields: readonly FormField[];
  readonly sequence: number | null;
  readonly revision: number;
  readonly deleted_at: Date | null;
  readonly outbox: readonly CloudEvent[];
  /** When the weather of its reports of today and yesterday is captured next (weather-agenda.ts). Only set if the form captures weather. */
  readonly weather_due?: Date;
}

const schema = new Schema<FormDocument>(
  {
    _id: { type: String, required: true },
    institution_id: { type: String, required: true },
    valid_from: { type: Number, required: true },
    key: { type: String },
    fields: { type: [Schema.Types.Mixed], required: true },
    sequence: { type: Number, default: null },
    revision: { type: Number, required: true },
    deleted_at: { type: Date, default: null },
    outbox: { type: [Schema.Types.Mixed], default: [] },
    weather_due: { type: Date },
  },
  { collection: 'forms', versionKey: false, minimize: false },
);
// Excludes deleted forms, which have no key.
schema.index({ institution_id: 1, key: 1 }, { unique: true, partialFilterExpression: { key: { $exists: true } } });
schema.index({ 'fields.config.autofillFromApi': 1 }, { partialFilterExpression: { 'fields.config.autofillFromApi': true } });
schema.index({ weather_due: 1 }, { sparse: true });
schema.index({ institution_id: 1, deleted_at: 1 });
schema.index(...outboxIndex);

export function formModel(connection: Connection): Model<FormDocument> {
  return connection.model<FormDocument>('Form', schema);
}
