import type { ReferenceLookup } from '@stechuhr/ingest';
import type { Ports, Tenant } from './ports.js';

export interface EmployeeDeletion {
  readonly employeeId: string;
  readonly deletedAt: Date;
}

interface RemovalContext extends Ports {
  readonly references: ReferenceLookup;
}

/**
 * Deletes the suppression rules of a deleted employee. Running it again changes nothing more: where an employee came back under the same id,
 * rules written after the deletion are its own.
 */
export async function removeSuppressionsOfEmployee(
  { suppressions, events, references, notifyOutbox }: RemovalContext,
  tenant: Tenant,
  { employeeId, deletedAt }: EmployeeDeletion,
): Promise<void> {
  const { institutionId } = tenant;
  const missing = await references.missing([{ institutionId, references: [{ kind: 'employee', id: employeeId }] }]);
  const isBack = missing.length === 0;
  for (const rule of await suppressions.ofEmployee(tenant, employeeId, isBack ? deletedAt : undefined)) {
    await suppressions.remove(tenant, rule.id, events.suppression('reviews.suppression.deleted', tenant, rule));
  }
  notifyOutbox();
}

/**
 * Deletes what a deleted institution left here. Running it again changes nothing more: where the institution came back under the same id,
 * rules written after the deletion are its own, and so are its settings, which have no date.
 */
export async function removeInstitution(
  { suppressions, settings, events, references, notifyOutbox }: RemovalContext,
  tenant: Tenant,
  deletedAt: Date,
): Promise<void> {
  const { institutionId } = tenant;
  const missing = await references.missing([{ institutionId, references: [{ kind: 'institution', id: institutionId }] }]);
  const isBack = missing.length === 0;
  for (const rule of await suppressions.ofInstitution(tenant, isBack ? deletedAt : undefined)) {
    await suppressions.remove(tenant, rule.id, events.suppression('reviews.suppression.deleted', tenant, rule));
  }
  if (!isBack) await settings.remove(tenant);
  notifyOutbox();
}
