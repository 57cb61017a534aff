import { cloudEventSchema, wasHandedOver, type CloudEvent } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { subjectOf } from './create-event.js';
import type { BusMessage } from './message.js';

/**
 * Reads the event in a message. A service that may consume messages can have the server deliver them on an event subject, with content written by a
 * publisher. Therefore an event must match its subject, and must not have been a live object (docs/security.md#the-bus).
 * @param subjectFor the subject that it must have
 * @throws AppError `invalid` if it is not an event
 */
export function readEvent(message: BusMessage, subjectFor: (event: CloudEvent) => string = subjectOf): CloudEvent {
  const { success, data: event, error: cause } = cloudEventSchema.safeParse(message.json());
  if (!success) throw new AppError('invalid', 'The message is not a valid event.', { cause });
  if (message.subject !== subjectFor(event) || wasHandedOver((name) => message.header(name)))
    throw new AppError('invalid', 'The event was not published on its subject.');
  return event;
}
