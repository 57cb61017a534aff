import type { RedeliveryNotes } from '@stechuhr/bus';
import type { Collection } from 'mongoose';
import { isDuplicateKey } from './failed-writes.js';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** `_id` names a message. Absent fields are 0. */
interface NoteDocument extends StringIdDocument {
  readonly begun: number;
  readonly begun_alone?: number;
  /** When its handling last began. */
  readonly at: Date;
}

/** A message that still exists is tried again within seconds, and noted again. */
const KEPT_MS = 30 * 86_400_000;

/** Stores notes about messages that are handled again in the database of their service. */
export function redeliveryNotes(collection: Collection): RedeliveryNotes & {
  /** Removes notes about messages that are gone, because their stream was lost or emptied. */
  removeOld(): Promise<void>;
} {
  const notes = withStringIds<NoteDocument>(collection);
  const add = (message: string) =>
    notes.findOneAndUpdate({ _id: message }, { $inc: { begun: 1 }, $set: { at: new Date() } }, { upsert: true, returnDocument: 'before' });
  return {
    async begin(message) {
      const before = await add(message).catch((caught: unknown) => {
        // Another process has just inserted it.
        if (isDuplicateKey(caught)) return add(message);
        throw caught;
      });
      return { all: before?.begun ?? 0, alone: before?.begun_alone ?? 0 };
    },
    async beginAlone(message) {
      await notes.updateOne({ _id: message }, { $inc: { begun_alone: 1 } });
    },
    async remove(messages) {
      await notes.deleteMany({ _id: { $in: [...messages] } });
    },
    async removeOld() {
      await notes.deleteMany({ at: { $lt: new Date(Date.now() - KEPT_MS) } });
    },
  };
}
