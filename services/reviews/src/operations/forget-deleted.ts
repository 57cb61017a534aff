import type { ReferenceLookup } from '@stechuhr/ingest';
import type { RecordReference } from '@stechuhr/records-client';
import type { Suppression } from '../domain/suppression.js';
import type { Ports, SettingsNeeds, Tenant } from './ports.js';

export interface EmployeeDeletion {
  readonly employeeId: string;
  /** Left out where the employee was only found missing: one who is there again keeps all rules then. */
  readonly deletedAt?: Date;
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
    deletedAt,
    read: () => context.suppressions.ofEmployee(tenant, employeeId),
  });
}

/**
 * Deletes what a deleted institution left here. Running it again changes nothing more: where the institution came back under the same id,
 * rules written after the deletion are its own, and so are its settings, which have no date.
 */
export async function removeInstitution(context: RemovalContext & SettingsNeeds, tenant: Tenant, deletedAt?: Date): Promise<void> {
  await removeWritten(context, tenant, {
    deleted: { kind: 'institution', id: tenant.institutionId },
    deletedAt,
    read: () => context.suppressions.ofInstitution(tenant),
  });
  await removeSettings(context, tenant);
}

/**
 * Deletes the suppression rules of an employee, or what an institution left here, where it is found missing after a rule for it was written. It is
 * asked for first: as a rule it is there, and nothing has to be read.
 */
export async function removeWhereMissing(
  context: RemovalContext & SettingsNeeds,
  tenant: Tenant,
  { employeeId }: { readonly employeeId: string | null },
): Promise<void> {
  const named: Deleted = employeeId === null ? { kind: 'institution', id: tenant.institutionId } : { kind: 'employee', id: employeeId };
  if (await isThere(context, tenant, named)) return;
  if (employeeId === null) await removeInstitution(context, tenant);
  else await removeSuppressionsOfEmployee(context, tenant, { employeeId });
}

type Deleted = RecordReference & { readonly kind: 'employee' | 'institution' };

interface Removal {
  readonly deleted: Deleted;
  readonly deletedAt: Date | undefined;
  read(): Promise<readonly Suppression[]>;
}

/** What was written again since it was read is judged again: it may be of somebody who came back. */
async function removeWritten(context: RemovalContext, tenant: Tenant, { deleted, deletedAt, read }: Removal): Promise<void> {
  for (;;) {
    // Read before the deleted one is looked for: what is written later is not among them.
    const rules = await read();
    if (rules.length === 0) return;
    const isBack = await isThere(context, tenant, deleted);
    const leftBehind = rules.filter(({ modifiedAt }) => !isBack || (deletedAt !== undefined && modifiedAt <= deletedAt.getTime()));
    if (leftBehind.length === 0) return;
    let isAll = true;
    for (const rule of leftBehind) {
      const event = context.events.suppression('reviews.suppression.deleted', tenant, rule);
      isAll = (await context.suppressions.removeUnchanged(tenant, rule, event)) && isAll;
    }
    context.notifyOutbox();
    if (isAll) return;
  }
}

/** Deletes the settings of an institution that is not there, also those that are written meanwhile. */
export async function removeSettings(context: SettingsNeeds, tenant: Tenant): Promise<void> {
  for (;;) {
    const lastWrite = await context.settings.lastWrite(tenant);
    if (lastWrite === undefined || (await isThere(context, tenant, { kind: 'institution', id: tenant.institutionId }))) return;
    if (await context.settings.removeUnchanged(tenant, lastWrite)) return;
  }
}

async function isThere({ references }: Pick<SettingsNeeds, 'references'>, { institutionId }: Tenant, deleted: Deleted): Promise<boolean> {
  return (await references.missing([{ institutionId, references: [deleted] }])).length === 0;
}
