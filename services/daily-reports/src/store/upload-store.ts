import type { Clock } from '@stechuhr/kernel';
import { Schema, trusted, type Connection, type Model, type QueryFilter } from 'mongoose';
import { FORM_MS, UNNAMED_MS, type Upload } from '../domain/upload.js';
import type { UploadStore } from '../operations/upload-port.js';

/** An upload; `_id` is its key. */
export interface UploadDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly since: Date;
  /** Whether an entry has ever referred to it. */
  readonly named: boolean;
  readonly kept: boolean;
  /** When to check it; absent if nothing is left to do. */
  readonly due_at?: Date;
}

const schema = new Schema<UploadDocument>(
  {
    _id: { type: String, required: true },
    institution_id: { type: String, required: true },
    since: { type: Date, required: true },
    named: { type: Boolean, required: true },
    kept: { type: Boolean, required: true },
    due_at: { type: Date },
  },
  { collection: 'uploads', versionKey: false },
);
schema.index({ institution_id: 1, _id: 1 });
schema.index({ institution_id: 1, named: 1 });
schema.index({ due_at: 1 }, { sparse: true });

export function uploadModel(connection: Connection): Model<UploadDocument> {
  return connection.model<UploadDocument>('Upload', schema);
}

/** The lease of a claim, longer than processing one upload takes. After a crash, another process takes the upload when it ends. */
const CLAIM_MS = 5 * 60_000;

/** The delay in which the entry is stored and its photo is kept. */
const STORING_MS = 60_000;

export function createUploadStore(model: Model<UploadDocument>, clock: Clock): UploadStore {
  return {
    async issued({ institutionId }, keys) {
      const since = new Date(clock.now());
      const due_at = new Date(clock.now() + UNNAMED_MS);
      await model.insertMany(keys.map((_id) => ({ _id, institution_id: institutionId, since, named: false, kept: false, due_at })));
    },
    countUnnamed: ({ institutionId }, limit) => model.countDocuments({ institution_id: institutionId, named: false }).limit(limit),
    async named({ institutionId }, keys) {
      const since = new Date(clock.now());
      const due_at = new Date(clock.now() + STORING_MS);
      await model.bulkWrite(
        keys.map((_id) => ({
          updateOne: {
            filter: { _id, institution_id: institutionId },
            update: { $set: { since, named: true, due_at }, $setOnInsert: { kept: false } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
    async keptOf({ institutionId }, keys) {
      const filter = { _id: trusted({ $in: [...keys] }), institution_id: institutionId, kept: true };
      return new Set((await model.find(filter, { _id: 1 }).lean()).map(({ _id }) => _id));
    },
    async *allKept() {
      const found = model.find({ kept: true }, { institution_id: 1 }).sort({ _id: 1 });
      for await (const { _id: key, institution_id: institutionId } of found.lean().cursor()) yield { key, institutionId };
    },
    async known({ institutionId }, keys) {
      const filter = { _id: trusted({ $in: [...keys] }), institution_id: institutionId };
      return new Set((await model.find(filter, { _id: 1 }).lean()).map(({ _id }) => _id));
    },
    async setKept({ institutionId }, key) {
      await model.updateOne({ _id: key, institution_id: institutionId }, { $set: { kept: true } });
    },
    claimDue: (limit) => claimDue(model, clock, limit),
    async reschedule({ key, institutionId, since }, at) {
      // Not applied if an entry has referred to it in the meantime.
      const change = at === undefined ? { $unset: { due_at: '' } } : { $set: { due_at: new Date(at) } };
      return (await model.updateOne({ _id: key, institution_id: institutionId, since: new Date(since) }, change)).matchedCount === 1;
    },
    async removeAll({ institutionId }) {
      const expired = new Date(clock.now() - FORM_MS);
      await model.deleteMany({ institution_id: institutionId, since: trusted({ $lt: expired }) });
      // What was kept is removed next, so an inspection must not miss it.
      await model.updateMany({ institution_id: institutionId }, { $set: { kept: false, due_at: new Date(clock.now() + FORM_MS) } });
    },
    async remove({ key, institutionId, since }) {
      await model.deleteOne({ _id: key, institution_id: institutionId, since: new Date(since) });
    },
  };
}

/** The part of a claim that one institution may take while uploads of others are due. */
const SHARE = 1 / 50;

async function claimDue(model: Model<UploadDocument>, clock: Clock, limit: number): Promise<readonly Upload[]> {
  const until = new Date(clock.now() + CLAIM_MS);
  const claimed: Upload[] = [];
  for (const { _id, due_at, institution_id: institutionId, since, kept } of await findDue(model, new Date(clock.now()), limit)) {
    const filter = { _id, institution_id: institutionId, ...(due_at && { due_at }) };
    const { modifiedCount } = await model.updateOne(filter, { $set: { due_at: until } });
    if (modifiedCount === 1) claimed.push({ key: _id, institutionId, since: since.getTime(), kept });
  }
  return claimed;
}

/**
 * Returns due uploads, the longest due first. If there are more, institutions with many of them get their share only, because an import may name a
 * hundred thousand photos that never arrive, each of which is due again every few minutes.
 */
async function findDue(model: Model<UploadDocument>, now: Date, limit: number): Promise<readonly UploadDocument[]> {
  const due = { due_at: trusted({ $lte: now }) };
  const read = (filter: QueryFilter<UploadDocument>) => model.find(filter).sort({ due_at: 1 }).limit(limit).lean();
  const oldest = await read(due);
  if (oldest.length < limit) return oldest;
  const share = Math.ceil(limit * SHARE);
  const byInstitution = Map.groupBy(oldest, ({ institution_id }) => institution_id);
  const crowding = [...byInstitution].flatMap(([institutionId, own]) => (own.length > share ? institutionId : []));
  if (crowding.length === 0) return oldest;
  const others = await read({ ...due, institution_id: trusted({ $nin: crowding }) });
  const shared = [...byInstitution.values()].flatMap((own) => own.slice(0, share));
  const inOrder = new Map([...shared, ...others, ...oldest].map((upload) => [upload._id, upload]));
  return [...inOrder.values()].slice(0, limit);
}
