import { newId } from '@stechuhr/kernel';
import { isDuplicateKey } from '@stechuhr/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { ReviewSettings } from '../domain/settings.js';
import type { SettingsStore } from '../operations/ports.js';

/** The settings of an institution; `_id` is its id. */
interface SettingsDocument {
  readonly _id: string;
  /** Null if they were reset to the defaults; the document is kept for its sequence. */
  readonly settings: ReviewSettings | null;
  /** The sequence of the last live object; 0 if there was none. */
  readonly sequence: number;
  /** A new id with each write. Absent in documents of version 0.2 and earlier. */
  readonly write_id?: string;
}

const schema = new Schema<SettingsDocument>(
  {
    _id: { type: String, required: true },
    settings: { type: Schema.Types.Mixed, default: null },
    sequence: { type: Number, required: true },
    write_id: { type: String },
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
    async lastWrite({ institutionId }) {
      const found = await model.findById(institutionId, { write_id: 1 }).lean();
      return found === null ? undefined : (found.write_id ?? null);
    },
    async removeUnchanged({ institutionId }, lastWrite) {
      return (await model.deleteOne({ _id: institutionId, write_id: lastWrite })).deletedCount === 1;
    },
    async write({ institutionId }, settings = undefined, sequence = undefined) {
      const filter = { _id: institutionId, ...(sequence !== undefined && { sequence: trusted({ $lt: sequence }) }) };
      const write_id = newId();
      const change = { $set: { settings: settings ?? null, write_id, ...(sequence !== undefined && { sequence }) } };
      // Either a document can be changed or one can be created. If both fail, a newer one has been written, or this one before.
      for (let attempt = 0; attempt < 2; attempt += 1) {
        if ((await model.updateOne(filter, change)).matchedCount === 1) return;
        try {
          await model.create({ _id: institutionId, settings: settings ?? null, sequence: sequence ?? 0, write_id });
          return;
        } catch (caught) {
          if (!isDuplicateKey(caught)) throw caught;
        }
      }
    },
  };
}
