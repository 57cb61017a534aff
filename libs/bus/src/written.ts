import { entitySubject, streams } from '@stechuhr/contracts';
import type { ConsumeOptions } from './consume-options.js';
import { readEvent } from './read-event.js';

/** What a record names that was created or changed. */
interface NamedEmployee {
  readonly institutionId: string;
  /** Null where it is for the whole institution. */
  readonly employeeId: string | null;
}

interface WrittenConsumerOptions {
  /** Who has written it; names the consumer and the dead letters. */
  readonly service: string;
  readonly entity: string;
  /** May be called twice with the same write. */
  readonly handler: (named: NamedEmployee) => Promise<void>;
}

const CONCURRENCY = 8;
const DELIVERIES = 20;

/**
 * Consumes what a service has written itself, so that it can look once more for the employee or institution that the record names
 * (docs/rules/records.md#deletions): it was looked for before the write, and the clean-up after its deletion may have run in between. Its event
 * is stored with the write, so that no crash prevents the look.
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
