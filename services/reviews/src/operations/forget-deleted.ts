import type { ReferenceLookup } from '@stechuhr/ingest';
import type { RecordReference } from '@stechuhr/records-client';
import type { Suppression } from '../domain/suppression.js';
import type { Ports, SettingsNeeds, Tenant } from './ports.js';

export interface EmployeeDeletion {
  readonly employeeId: string;
  /** Undefined if the employee was only found missing; if the employee exists again by then, all rules are kept. */
  readonly deletedAt?: Date;
}

interface RemovalContext extends Pick<Ports, 'suppressions' | 'events' | 'notifyOutbox'> {
  readonly references: ReferenceLookup;
}

/**
 * Deletes the suppression rules of a deleted employee. Can be repeated. If an employee was created again under the same id, rules written after the
 * deletion are kept.
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
 * Deletes the data of a deleted institution. Can be repeated. If the institution was created again under the same id, rules written after the
 * deletion are kept, and so are its settings, which have no date.
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
 * Deletes the suppression rules of an employee or institution that no longer exists after a rule for it was written. Whether it exists is checked
 * first, since it usually does, and then nothing has to be read.
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

/** Rules that were written again since they were read are checked again: they may belong to an employee who was created again. */
async function removeWritten(context: RemovalContext, tenant: Tenant, { deleted, deletedAt, read }: Removal): Promise<void> {
  for (;;) {
    // Read before the deleted record is looked up, so that rules written later are not included.
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

/** Deletes the settings of an institution that does not exist, including those that are written meanwhile. */
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
