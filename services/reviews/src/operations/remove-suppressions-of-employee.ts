import type { Ports, Tenant } from './ports.js';

export interface EmployeeDeletion {
  readonly employeeId: string;
  readonly deletedAt: Date;
}

/**
 * Deletes the suppression rules of a deleted employee. Running it again changes nothing more: rules written after the deletion belong to an
 * employee that came back under the same id.
 */
export async function removeSuppressionsOfEmployee(
  { suppressions, events, notifyOutbox }: Ports,
  tenant: Tenant,
  { employeeId, deletedAt }: EmployeeDeletion,
): Promise<void> {
  for (const rule of await suppressions.writtenUntil(tenant, employeeId, deletedAt)) {
    await suppressions.remove(tenant, rule.id, events.suppression('reviews.suppression.deleted', tenant, rule));
  }
  notifyOutbox();
}
