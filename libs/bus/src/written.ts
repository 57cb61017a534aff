import { entitySubject, streams } from '@stechuhr/contracts';
import type { ConsumeOptions } from './consume-options.js';
import { readEvent } from './read-event.js';

/** Whom a record names that was created or changed. */
interface NamedEmployee {
  readonly institutionId: string;
  /** Null if the record is for the whole institution. */
  readonly employeeId: string | null;
}

interface WrittenConsumerOptions {
  /** The service that wrote the record; names the consumer and the dead letters. */
  readonly service: string;
  readonly entity: string;
  /** May be called twice with the same write. */
  readonly handler: (named: NamedEmployee) => Promise<void>;
}

const CONCURRENCY = 8;
const DELIVERIES = 20;

/**
 * Consumes the events of a service's own writes, so that it can check again whether the employee or institution that a record names exists
 * (docs/rules/records.md#deletions). It checked before the write, and the clean-up after a deletion may have run in between. The event is stored
 * with the write, so that a crash cannot prevent the second check.
 */
export function writtenConsumer({ service, entity, handler }: WrittenConsumerOptions): ConsumeOptions {
  return {
    stream: streams.events.name,
    durable: `${service}-${entity}-written`,
    filterSubject: entitySubject('*', service, entity),
    concurrency: CONCURRENCY,
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
