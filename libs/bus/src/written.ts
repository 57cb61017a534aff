import { entitySubject, streams } from '@stechuhr/contracts';
import { inTurns, type ConsumeOptions } from './consume-options.js';
import { readEvent } from './read-event.js';

/** The employee that a created or changed record refers to. */
interface NamedEmployee {
  readonly institutionId: string;
  /** Null if the record is for the whole institution. */
  readonly employeeId: string | null;
}

interface WrittenConsumerOptions {
  /** The service that wrote the record; part of the names of the consumer and the dead letters. */
  readonly service: string;
  readonly entity: string;
  /** May be called twice for the same write. */
  readonly handler: (named: NamedEmployee) => Promise<void>;
}

const DELIVERIES = 20;

/**
 * Consumes the events of a service's own writes, so that it can check again whether the employee or institution of a record exists
 * (docs/rules/records.md#deletions). It was checked before the write, but the clean-up after a deletion may have run in between. As the event is
 * stored with the write, a crash cannot prevent the second check.
 */
export function writtenConsumer({ service, entity, handler }: WrittenConsumerOptions): ConsumeOptions {
  return {
    stream: streams.events.name,
    durable: `${service}-${entity}-written`,
    filterSubject: entitySubject('*', service, entity),
    ...inTurns,
    deadLetter: service,
    maxAttempts: DELIVERIES,
    async handler(message) {
      const { type, institutionid: institutionId, data } = readEvent(message);
      if (type.endsWith('.deleted.v1')) return;
      const { employee_id: employeeId } = data;
      await handler({ institutionId, employeeId: typeof employeeId === 'string' ? employeeId : null });
    },
  };
}
