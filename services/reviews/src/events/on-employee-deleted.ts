import { deletionConsumer, type ConsumeOptions } from '@stechuhr/bus';
import type { Context } from '../context.js';
import { removeSuppressionsOfEmployee } from '../operations/remove-suppressions-of-employee.js';

/** A deleted employee takes its suppression rules along. */
export function employeeDeletedConsumer({ ports, recordsOfInstitution }: Pick<Context, 'ports' | 'recordsOfInstitution'>): ConsumeOptions {
  return deletionConsumer({
    service: 'reviews',
    kind: 'employee',
    handler: ({ institutionId, id: employeeId, deletedAt }) =>
      removeSuppressionsOfEmployee(
        { ...ports, records: recordsOfInstitution(institutionId) },
        { institutionId },
        { employeeId, deletedAt },
      ),
  });
}
