import { AppError } from '@stechuhr/kernel';
import { trusted, type Collection, type mongo } from 'mongoose';

/**
 * Maximum number of events that may wait in one document. Every write rewrites all of them, and the relay publishes them one after the
 * other.
 */
export const MAX_WAITING_EVENTS = 200;

const LAST = `outbox.${String(MAX_WAITING_EVENTS - 1)}`;

/** Filter for updates that add an event. It prevents documents from growing without limit while NATS is unavailable. */
export const roomInOutbox = { [LAST]: trusted({ $exists: false }) };

/**
 * Call this when an update with {@link roomInOutbox} matched no document.
 *
 * @param filter selects the documents that were to be changed
 * @throws AppError `unavailable` if the outbox of one of them is full
 */
export async function throwIfNoRoom(collection: Pick<Collection, 'findOne'>, filter: mongo.Document): Promise<void> {
  const full = await collection.findOne({ ...filter, [LAST]: { $exists: true } }, { projection: { _id: 1 } });
  if (full === null) return;
  throw new AppError('unavailable', 'Too many changes of the same record wait to be published. Try again later.', { isOfRecord: true });
}
