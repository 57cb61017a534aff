import type { Ports, Tenant } from './ports.js';

export interface EmployeeDeletion {
  readonly employeeId: string;
  readonly deletedAt: Date;
}

/**
 * Deletes the manual rules of a deleted employee. Running it again changes nothing more: rules written after the deletion belong to an
 * employee that came back under the same id.
 */
export async function removeRulesOfEmployee(ports: Ports, tenant: Tenant, { employeeId, deletedAt }: EmployeeDeletion): Promise<void> {
  for (const id of await ports.rules.writtenUntil(tenant, employeeId, deletedAt)) {
    await ports.rules.remove(tenant, id, ports.ruleEvent('absence-rules.rule.deleted', tenant, { id, employeeId }));
  }
  ports.notifyOutbox();
}
