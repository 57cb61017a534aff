import type { ReferenceLookup } from '@stechuhr/ingest';
import type { Suppression } from '../domain/suppression.js';
import type { Ports, Tenant } from './ports.js';

export interface EmployeeDeletion {
  readonly employeeId: string;
  readonly deletedAt: Date;
}

interface RemovalContext extends Pick<Ports, 'suppressions' | 'events' | 'notifyOutbox'> {
  readonly references: ReferenceLookup;
}

/**
 * Deletes the suppression rules of a deleted employee. Running it again changes nothing more: where an employee came back under the same id,
 * rules written after the deletion are its own.
 */
export async function removeSuppressionsOfEmployee(
  context: RemovalContext,
  tenant: Tenant,
  { employeeId, deletedAt }: EmployeeDeletion,
): Promise<void> {
  await removeWritten(context, tenant, {
    deleted: { kind: 'employee', id: employeeId },
    read: (isBack) => context.suppressions.ofEmployee(tenant, employeeId, isBack ? deletedAt : undefined),
  });
  context.notifyOutbox();
}

/**
 * Deletes what a deleted institution left here. Running it again changes nothing more: where the institution came back under the same id,
 * rules written after the deletion are its own, and so are its settings, which have no date.
 */
export async function removeInstitution(context: RemovalContext & Pick<Ports, 'settings'>, tenant: Tenant, deletedAt: Date): Promise<void> {
  const { isBack } = await removeWritten(context, tenant, {
    deleted: { kind: 'institution', id: tenant.institutionId },
    read: (isBack) => context.suppressions.ofInstitution(tenant, isBack ? deletedAt : undefined),
  });
  if (!isBack) await context.settings.remove(tenant);
  context.notifyOutbox();
}

interface Removal {
  readonly deleted: { readonly kind: 'employee' | 'institution'; readonly id: string };
  read(isBack: boolean): Promise<readonly Suppression[]>;
}

/** What was written again since it was read is judged again: it may be of somebody who came back. @returns whether the deleted one is back */
async function removeWritten({ suppressions, events, references }: RemovalContext, tenant: Tenant, { deleted, read }: Removal) {
  for (;;) {
    const missing = await references.missing([{ institutionId: tenant.institutionId, references: [deleted] }]);
    const isBack = missing.length === 0;
    let isAll = true;
    for (const rule of await read(isBack)) {
      const event = events.suppression('reviews.suppression.deleted', tenant, rule);
      isAll = (await suppressions.removeUnchanged(tenant, rule, event)) && isAll;
    }
    if (isAll) return { isBack };
  }
}
