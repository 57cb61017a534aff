import type { ReferenceLookup } from '@stechuhr/ingest';
import type { RecordReference } from '@stechuhr/records-client';
import type { Suppression } from '../domain/suppression.js';
import type { Ports, SettingsNeeds, Tenant } from './ports.js';

export interface EmployeeDeletion {
  readonly employeeId: string;
  /** Undefined if the employee was only found missing. In this case, an employee who exists again keeps all rules. */
  readonly deletedAt?: Date;
}

interface RemovalContext extends Pick<Ports, 'suppressions' | 'events' | 'notifyOutbox'> {
  readonly references: ReferenceLookup;
}

/**
 * Deletes the suppression rules of a deleted employee. It can be repeated. If an employee with the same id was created again, rules written
 * after the deletion belong to it and are kept.
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
 * Deletes the suppression rules and settings of a deleted institution. It can be repeated. If an institution with the same id was created
 * again, rules written after the deletion belong to it and are kept, and so are its settings, which have no date.
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
 * Deletes the suppression rules of an employee, or all data of an institution, if it is found missing after a rule for it was written.
 * Existence is checked first: usually the record exists, and nothing else has to be read.
 */
export async function removeWhereMissing(
  context: RemovalContext & SettingsNeeds,
  tenant: Tenant,
  { employeeId }: { readonly employeeId: string | null },
): Promise<void> {
  const named: Deleted = employeeId === null ? { kind: 'institution', id: tenant.institutionId } : { kind: 'employee', id: employeeId };
  if (await exists(context, tenant, named)) return;
  if (employeeId === null) await removeInstitution(context, tenant);
  else await removeSuppressionsOfEmployee(context, tenant, { employeeId });
}

type Deleted = RecordReference & { readonly kind: 'employee' | 'institution' };

interface Removal {
  readonly deleted: Deleted;
  readonly deletedAt: Date | undefined;
  read(): Promise<readonly Suppression[]>;
}

/**
 * Deletes rules. Rules that changed since they were read are checked again, because they may belong to a re-created employee or
 * institution.
 */
async function removeWritten(context: RemovalContext, tenant: Tenant, { deleted, deletedAt, read }: Removal): Promise<void> {
  for (;;) {
    // Read before existence is checked, so that rules written later are not included.
    const rules = await read();
    if (rules.length === 0) return;
    const isBack = await exists(context, tenant, deleted);
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

/** Deletes the settings of an institution that does not exist, including those that are written concurrently. */
export async function removeSettings(context: SettingsNeeds, tenant: Tenant): Promise<void> {
  for (;;) {
    const lastWrite = await context.settings.lastWrite(tenant);
    if (lastWrite === undefined || (await exists(context, tenant, { kind: 'institution', id: tenant.institutionId }))) return;
    if (await context.settings.removeUnchanged(tenant, lastWrite)) return;
  }
}

async function exists({ references }: Pick<SettingsNeeds, 'references'>, { institutionId }: Tenant, deleted: Deleted): Promise<boolean> {
  return (await references.missing([{ institutionId, references: [deleted] }])).length === 0;
}
