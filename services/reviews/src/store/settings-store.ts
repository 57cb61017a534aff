import { isDuplicateKey } from '@stechuhr/mongo';
import { trusted, type Model } from 'mongoose';
import type { SettingsStore } from '../operations/ports.js';
import type { SettingsDocument } from './settings-model.js';

export function createSettingsStore(model: Model<SettingsDocument>): SettingsStore {
  return {
    async find({ institutionId }) {
      const found = await model.findById(institutionId).lean();
      return found?.settings ?? undefined;
    },
    async write({ institutionId }, settings = undefined, sequence = undefined) {
      const filter = { _id: institutionId, ...(sequence !== undefined && { sequence: trusted({ $lte: sequence }) }) };
      const change = { $set: { settings: settings ?? null, ...(sequence !== undefined && { sequence }) } };
      // Either there is a document to change, or one to make; where neither works, a newer one was faster.
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
