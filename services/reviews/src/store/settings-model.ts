import { Schema, type Connection, type Model } from 'mongoose';
import type { ReviewSettings } from '../domain/settings.js';

/** The settings of an institution; `_id` is its id. */
export interface SettingsDocument {
  readonly _id: string;
  /** Null where they were taken back; the document stays for its sequence. */
  readonly settings: ReviewSettings | null;
  /** Of the last live object; 0 where there was none. */
  readonly sequence: number;
}

const schema = new Schema<SettingsDocument>(
  {
    _id: { type: String, required: true },
    settings: { type: Schema.Types.Mixed, default: null },
    sequence: { type: Number, required: true },
  },
  { collection: 'review_settings', versionKey: false, minimize: false },
);

export function settingsModel(connection: Connection): Model<SettingsDocument> {
  return connection.model<SettingsDocument>('ReviewSettings', schema);
}
