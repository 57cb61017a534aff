import type { ReferenceLookup } from '@stechuhr/ingest';
import type { RecordReference } from '@stechuhr/records-client';
import type { Suppression } from '../domain/suppression.js';
import type { Ports, Tenant } from './ports.js';
import type { SettingsNeeds } from './settings-ingest.js';

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
    deletedAt,
    read: () => context.suppressions.ofEmployee(tenant, employeeId),
  });
  context.notifyOutbox();
}

/**
 * Deletes what a deleted institution left here. Running it again changes nothing more: where the institution came back under the same id,
 * rules written after the deletion are its own, and so are its settings, which have no date.
 */
export async function removeInstitution(context: RemovalContext & SettingsNeeds, tenant: Tenant, deletedAt: Date): Promise<void> {
  await removeWritten(context, tenant, {
    deleted: { kind: 'institution', id: tenant.institutionId },
    deletedAt,
    read: () => context.suppressions.ofInstitution(tenant),
  });
  await removeSettings(context, tenant);
  context.notifyOutbox();
}

type Deleted = RecordReference & { readonly kind: 'employee' | 'institution' };

interface Removal {
  readonly deleted: Deleted;
  readonly deletedAt: Date;
  read(): Promise<readonly Suppression[]>;
}

/** What was written again since it was read is judged again: it may be of somebody who came back. */
async function removeWritten(context: RemovalContext, tenant: Tenant, { deleted, deletedAt, read }: Removal): Promise<void> {
  for (;;) {
    // Read before the deleted one is looked for: what is written later is not among them.
    const rules = await read();
    if (rules.length === 0) return;
    const isBack = await isThere(context, tenant, deleted);
    let isAll = true;
    for (const rule of rules) {
      if (isBack && rule.modifiedAt > deletedAt.getTime()) continue;
      const event = context.events.suppression('reviews.suppression.deleted', tenant, rule);
      isAll = (await context.suppressions.removeUnchanged(tenant, rule, event)) && isAll;
    }
    if (isAll) return;
  }
}

/** Deletes the settings of an institution that is not there, also those that are written meanwhile. */
async function removeSettings(context: SettingsNeeds, tenant: Tenant): Promise<void> {
  for (;;) {
    const lastWrite = await context.settings.lastWrite(tenant);
    if (lastWrite === undefined || (await isThere(context, tenant, { kind: 'institution', id: tenant.institutionId }))) return;
    if (await context.settings.removeUnchanged(tenant, lastWrite)) return;
  }
}

async function isThere({ references }: Pick<SettingsNeeds, 'references'>, { institutionId }: Tenant, deleted: Deleted): Promise<boolean> {
  return (await references.missing([{ institutionId, references: [deleted] }])).length === 0;
}
