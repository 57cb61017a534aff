import { createEvent, subjectOf, type Bus } from '@stechuhr/bus';
import { newId, type Clock, type Logger } from '@stechuhr/kernel';
import type { ReviewEvents } from '../operations/ports.js';

interface Dependencies {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Events of stored rules wait in their outbox. A run stores nothing: without NATS its event is lost, its findings are not. */
export function reviewEvents({ bus, clock, logger }: Dependencies): ReviewEvents {
  return {
    suppression: (type, { institutionId }, { id, code, employeeId }) =>
      createEvent({ type, institutionId, data: { id, code, employee_id: employeeId }, clock }),
    reviewRan({ institutionId }, run) {
      const event = createEvent({ type: 'reviews.review.ran', institutionId, data: { id: newId(), ...run }, clock });
      bus
        .publish(subjectOf(event), JSON.stringify(event), { msgId: event.id })
        .catch((caught: unknown) => logger.warn({ event_id: event.id, err: caught }, 'reviews.review.ran was not published'));
    },
  };
}
