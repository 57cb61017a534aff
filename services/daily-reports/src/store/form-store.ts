import { randomInt } from 'node:crypto';
import type { CloudEvent } from '@stechuhr/contracts';
import { isDuplicateKey, roomInOutbox, throwIfNoRoom } from '@stechuhr/mongo';
import { trusted, type Model } from 'mongoose';
import type { FormStore, FormWrite, FormWritten, StoredForm } from '../operations/form-port.js';
import type { FormDocument } from './form-model.js';
import { removeAll } from './remove-all.js';
import { dueOf } from './weather-agenda.js';

/** Excludes the outbox from reads, because only the relay needs its events. */
const FIELDS = { outbox: 0, weather_due: 0 } as const;

/**
 * The first revision of a form is a random number below this one. The form may take the place of a deleted one with the same id, and a writer
 * that read the deleted form must not find its revision again.
 */
const FIRST_REVISIONS = 2 ** 40;

export function createFormStore(model: Model<FormDocument>): FormStore {
  const isTakenByOthers: FormStore['isTakenByOthers'] = async ({ institutionId }, id) => {
    const others = { _id: id, institution_id: trusted({ $nin: [institutionId] }) };
    return (await model.findOne(others, { _id: 1 }).lean()) !== null;
  };
  return {
    isTakenByOthers,
    async list({ institutionId }) {
      return (await model.find({ institution_id: institutionId, deleted_at: null }, FIELDS).lean()).map(toForm);
    },
    async load(wanted) {
      const institutionIds = [...new Set(wanted.map(({ institutionId }) => institutionId))];
      const ids = wanted.map(({ id }) => id);
      const filter = { _id: trusted({ $in: ids }), institution_id: trusted({ $in: institutionIds }), deleted_at: null };
      const found = await model.find(filter, FIELDS).lean();
      return new Map(found.map((document) => [document._id, toForm(document)]));
    },
    async insert({ institutionId }, form, event) {
      const written = await orTaken(async () => {
        // A deleted form with the same id may still have unpublished events.
        const deleted = { _id: form.id, institution_id: institutionId, deleted_at: trusted({ $ne: null }) };
        const { modifiedCount } = await model.updateOne({ ...deleted, ...roomInOutbox }, changeTo(form, event));
        if (modifiedCount === 1) return 'written';
        await throwIfNoRoom(model.collection, deleted);
        await model.create({ _id: form.id, ...changeTo(form, event).$set, revision: randomInt(FIRST_REVISIONS), outbox: [event] });
        return 'written';
      });
      if (written !== 'taken') return written;
      return (await isTakenByOthers({ institutionId }, form.id)) ? 'foreign' : 'taken';
    },
    replace: ({ institutionId }, { before, after }, event) =>
      orTaken(async () => {
        const present = { _id: before.id, institution_id: institutionId, deleted_at: null };
        const unchanged = { ...present, revision: before.revision, ...(event && roomInOutbox) };
        const { matchedCount } = await model.updateOne(unchanged, changeTo(after, event));
        if (matchedCount === 1) return 'written';
        if (event) await throwIfNoRoom(model.collection, present);
        return 'stale';
      }),
    async remove({ institutionId }, form, event) {
      const { matchedCount } = await model.updateOne(
        { _id: form.id, institution_id: institutionId, deleted_at: null, revision: form.revision },
        {
          $set: { deleted_at: new Date() },
          $unset: { key: 1 as const, weather_due: 1 as const },
          $inc: { revision: 1 },
          $push: { outbox: event },
        },
      );
      return matchedCount === 1;
    },
    removeAll: (tenant, isGone) => removeAll(model, tenant, { isGone, revisions: ['revision'] }),
  };
}

/**
 * Returns `taken` for a duplicate key. Both the id and the first day are unique; which of them was taken is determined by reading again.
 */
async function orTaken(write: () => Promise<FormWritten>): Promise<FormWritten> {
  try {
    return await write();
  } catch (caught) {
    if (isDuplicateKey(caught)) return 'taken';
    throw caught;
  }
}

function changeTo(form: FormWrite, event: CloudEvent | undefined) {
  const due = dueOf(form);
  return {
    $set: { ...toFields(form), ...due.$set, deleted_at: null },
    $unset: due.$unset,
    $inc: { revision: 1 },
    ...(event && { $push: { outbox: event } }),
  };
}

function toFields(form: FormWrite) {
  return {
    institution_id: form.institutionId,
    valid_from: form.validFrom,
    key: `${form.institutionId}/${String(form.validFrom)}`,
    fields: [...form.fields],
    sequence: form.sequence ?? null,
  };
}

function toForm(document: Omit<FormDocument, 'outbox' | 'weather_due'>): StoredForm {
  return {
    id: document._id,
    institutionId: document.institution_id,
    validFrom: document.valid_from,
    fields: document.fields,
    sequence: document.sequence ?? undefined,
    revision: document.revision,
  };
}
