import { cloudEventSchema, wasHandedOver, type CloudEvent } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { subjectOf } from './create-event.js';
import type { BusMessage } from './message.js';

/**
 * The event in a message.
 *
 * A service that takes messages may have the server deliver them on a subject of events, with what a publisher has written in them: so an event
 * has to be of its subject, and must not have been a live object (docs/security.md#the-bus).
 *
 * @param subjectFor the subject that it has to be on
 * @throws AppError `invalid` where it is none
 */
export function readEvent(message: BusMessage, subjectFor: (event: CloudEvent) => string = subjectOf): CloudEvent {
  const { success, data: event, error: cause } = cloudEventSchema.safeParse(message.json());
  if (!success) throw new AppError('invalid', 'The message is not a valid event.', { cause });
  if (message.subject !== subjectFor(event) || wasHandedOver((name) => message.header(name)))
    throw new AppError('invalid', 'The event was not published on its subject.');
  return event;
}
