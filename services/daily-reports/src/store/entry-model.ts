import { Schema, type Connection, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';
import type { EntryValue } from '../domain/entry-value.js';

/** An entry as stored: its date as days since 1970-01-01. */
export interface EntryDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly tag_id: string;
  readonly date: number;
  /** The `_id` of the report. */
  readonly report: string;
  readonly sequence: number;
  readonly field_id: string;
  /** `<type>/<field_id>`. The entry is shown only if the form has such a field. */
  readonly field_key: string;
  /** `<institution>/<hash>` of the group. */
  readonly group: string;
  readonly version: number;
  /** `<group>/<version>`, which is unique. */
  readonly place: string;
  /** Whether a newer version exists. It may be false although one exists, but not the other way round. */
  readonly superseded: boolean;
  readonly author_id: string | null;
  readonly on_behalf_of_id: string | null;
  readonly burned: boolean;
  readonly submitted_at: Date | null;
  readonly created_at: Date;
  readonly modified_at: Date;
  /** When it was stored; its other times are set by its author. Absent in entries of older versions. */
  readonly stored_at?: Date;
  readonly value: EntryValue;
  /** The size of the texts of the value, including a signature. Absent in entries of older versions. */
  readonly bytes?: number;
  readonly fingerprint: string | null;
  readonly live_sequence: number | null;
  /** Only set while a removed entry has unpublished events. It has no report and no place any more. */
  readonly deleted_at?: Date;
  readonly outbox: readonly CloudEvent[];
}

const schema = new Schema<EntryDocument>(
  {
    _id: { type: String, required: true },
    institution_id: { type: String },
    tag_id: { type: String },
    date: { type: Number },
    report: { type: String },
    sequence: { type: Number },
    field_id: { type: String },
    field_key: { type: String },
    group: { type: String },
    version: { type: Number },
    place: { type: String },
    superseded: { type: Boolean },
    author_id: { type: String, default: null },
    on_behalf_of_id: { type: String, default: null },
    burned: { type: Boolean },
    submitted_at: { type: Date, default: null },
    created_at: { type: Date },
    modified_at: { type: Date },
    stored_at: { type: Date },
    value: { type: Schema.Types.Mixed },
    bytes: { type: Number },
    fingerprint: { type: String, default: null },
    live_sequence: { type: Number, default: null },
    deleted_at: { type: Date },
    outbox: { type: [Schema.Types.Mixed], default: [] },
  },
  { collection: 'entries', versionKey: false, minimize: false },
);
// Excludes removed entries, which have no place.
schema.index({ institution_id: 1, place: 1 }, { unique: true, partialFilterExpression: { place: { $exists: true } } });
schema.index({ institution_id: 1, group: 1 });
schema.index({ institution_id: 1, report: 1, sequence: 1 });
// The last fields make the index covering, so that lists are counted without reading documents.
schema.index({ institution_id: 1, date: -1, sequence: -1, tag_id: 1, field_key: 1, superseded: 1 });
schema.index({ institution_id: 1, tag_id: 1, date: -1, sequence: -1, field_key: 1, superseded: 1 });
schema.index({ institution_id: 1, 'value.imageKey': 1 }, { partialFilterExpression: { 'value.imageKey': { $exists: true } } });
schema.index({ institution_id: 1, 'value.thumbKey': 1 }, { partialFilterExpression: { 'value.thumbKey': { $exists: true } } });
schema.index({ institution_id: 1, stored_at: 1 });
schema.index(...outboxIndex);

export function entryModel(connection: Connection): Model<EntryDocument> {
  return connection.model<EntryDocument>('Entry', schema);
}
