import { deletionConsumers, writtenConsumer, type ConsumeOptions } from '@stechuhr/bus';
import type { Clock } from '@stechuhr/kernel';
import type { Stores } from '@stechuhr/mongo';
import { removeRulesOfEmployee } from '../operations/manual-rules.js';
import type { CallerRecords, Ports } from '../operations/ports.js';

/** Returns the factory of events about manual rules. */
export function ruleEvents(clock: Clock, { createEvent }: Pick<Stores<unknown>, 'createEvent'>): Ports['ruleEvent'] {
  return (type, { institutionId }, { id, employeeId }) =>
    createEvent({ type, institutionId, data: { id, employee_id: employeeId }, clock });
}

interface Handling {
  readonly ports: Ports;
  recordsOfInstitution(institutionId: string): CallerRecords;
}

/** Returns the consumers that delete the manual rules of deleted employees. */
export function employeeDeletedConsumers({ ports, recordsOfInstitution }: Handling): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'absence-rules',
    kind: 'employee',
    handler: ({ institutionId, id: employeeId, deletedAt }) =>
      removeRulesOfEmployee({ ...ports, records: recordsOfInstitution(institutionId) }, { institutionId }, { employeeId, deletedAt }),
  });
}

/** Returns the consumer that deletes a rule whose employee was deleted while the rule was written. */
export function ruleWrittenConsumer({ ports, recordsOfInstitution }: Handling): ConsumeOptions {
  return writtenConsumer({
    service: 'absence-rules',
    entity: 'rule',
    async handler({ institutionId, employeeId }) {
      if (employeeId === null) return;
      await removeRulesOfEmployee({ ...ports, records: recordsOfInstitution(institutionId) }, { institutionId }, { employeeId });
    },
  });
}
