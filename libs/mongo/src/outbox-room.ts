import { AppError } from '@stechuhr/kernel';
import { trusted, type Collection, type mongo } from 'mongoose';

/** Maximum number of unpublished events in a document; every write rewrites all of them, and the relay publishes them one after the other. */
export const MAX_WAITING_EVENTS = 200;

const LAST = `outbox.${String(MAX_WAITING_EVENTS - 1)}`;

/** Part of the filter of every change that adds an event, so that no document grows indefinitely while NATS is unavailable. */
export const roomInOutbox = { [LAST]: trusted({ $exists: false }) };

/**
 * For changes with {@link roomInOutbox} that matched no document.
 * @param filter of the documents that were to be changed
 * @throws AppError `unavailable` if one of them has no room
 */
export async function throwIfNoRoom(collection: Pick<Collection, 'findOne'>, filter: mongo.Document): Promise<void> {
  const full = await collection.findOne({ ...filter, [LAST]: { $exists: true } }, { projection: { _id: 1 } });
  if (full === null) return;
  throw new AppError('unavailable', 'Too many changes of the same record wait to be published. Try again later.', { isOfRecord: true });
}
