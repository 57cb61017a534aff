import { isDuplicateKey } from '@stechuhr/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { ReviewSettings } from '../domain/settings.js';
import type { SettingsStore } from '../operations/ports.js';

/** The settings of an institution; `_id` is its id. */
interface SettingsDocument {
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

export function createSettingsStore(model: Model<SettingsDocument>): SettingsStore {
  return {
    async find({ institutionId }) {
      const found = await model.findById(institutionId).lean();
      return found?.settings ?? undefined;
    },
    async remove({ institutionId }) {
      await model.deleteOne({ _id: institutionId });
    },
    async write({ institutionId }, settings = undefined, sequence = undefined) {
      const filter = { _id: institutionId, ...(sequence !== undefined && { sequence: trusted({ $lte: sequence }) }) };
      const change = { $set: { settings: settings ?? null, ...(sequence !== undefined && { sequence }) } };
      // Either there is a document to change, or one to create; where neither works, a newer one has been written.
      for (let attempt = 0; attempt < 2; attempt += 1) {
        if ((await model.updateOne(filter, change)).matchedCount === 1) return;
        try {
          await model.create({ _id: institutionId, settings: settings ?? null, sequence: sequence ?? 0 });
          return;
        } catch (caught) {
          if (!isDuplicateKey(caught)) throw caught;
        }
      }
    },
  };
}
