import { deletionConsumer, type ConsumeOptions } from '@stechuhr/bus';
import type { Ports } from '../operations/ports.js';
import { removeRulesOfEmployee } from '../operations/remove-rules-of-employee.js';

/** A deleted employee takes its manual rules along. */
export function employeeDeletedConsumer(ports: Ports): ConsumeOptions {
  return deletionConsumer({
    service: 'absence-rules',
    kind: 'employee',
    handler: ({ institutionId, id: employeeId, deletedAt }) => removeRulesOfEmployee(ports, { institutionId }, { employeeId, deletedAt }),
  });
}
