import { createEvent, subjectOf, type Bus } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock, Logger } from '@stechuhr/kernel';
import type { Caller } from '../operations/ports.js';

interface Dependencies {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PassingEvents {
  tokenIssued(caller: Caller, photoId: string): void;
}

/** Facts that no document carries have no outbox: without NATS their events are lost, what they tell of is not. */
export function createPassingEvents({ bus, clock, logger }: Dependencies): PassingEvents {
  const publish = (event: CloudEvent): void => {
    bus
      .publish(subjectOf(event), JSON.stringify(event), { msgId: event.id })
      .catch((caught: unknown) => logger.warn({ event_id: event.id, err: caught }, `${event.type} was not published`));
  };
  return {
    tokenIssued({ institutionId, accountId }, photoId) {
      const data = { id: photoId, account_id: accountId };
      publish(createEvent({ type: 'daily-reports.photo.token-issued', institutionId, data, clock }));
    },
  };
}
