import type { ReferenceLookup } from '@stechuhr/ingest';
import type { RepeatedRemovals } from '@stechuhr/mongo';
import type { PhotoBin, Ports } from './ports.js';
import { settleAll, type SettlePorts } from './settle-reports.js';
import type { IsGone, Tenant } from './tenant.js';

interface RemovalContext extends SettlePorts, Pick<Ports, 'uploads'> {
  readonly references: ReferenceLookup;
  readonly bin: PhotoBin;
}

/** Deletes the daily reports of a deleted institution, and again what writes store that were allowed before the deletion. */
export async function forgetInstitution(
  context: RemovalContext & { readonly removals: Pick<RepeatedRemovals, 'plan'> },
  deletion: Tenant & { readonly deletedAt: Date },
): Promise<void> {
  await context.removals.plan(deletion);
  await removeInstitution(context, deletion);
}

/**
 * Deletes the daily reports of a deleted institution: entries, reports, forms and photos. It can be repeated. If an institution with the
 * same id was created again, what has not been deleted by then is kept: new data cannot be distinguished from old data, and site
 * documentation must not be lost.
 */
export async function removeInstitution({ references, bin, ...ports }: RemovalContext, tenant: Tenant): Promise<void> {
  const { institutionId } = tenant;
  const isGone: IsGone = async () => {
    const missing = await references.missing([{ institutionId, references: [{ kind: 'institution', id: institutionId }] }]);
    return missing.length > 0;
  };
  if ((await isGone()) && (await removeParts({ bin, ...ports }, tenant, isGone))) return;
  // This call, or an earlier one that was killed, may have deleted entries that the reports still show.
  for await (const _ of settleAll(ports, tenant));
}

/** @returns false if the institution exists again, so that not everything was deleted */
async function removeParts(
  { uploads, bin, entries, reports, forms }: Omit<RemovalContext, 'references'>,
  tenant: Tenant,
  isGone: IsGone,
): Promise<boolean> {
  await uploads.removeAll(tenant);
  for (const part of [bin, entries, reports, forms]) if (!(await part.removeAll(tenant, isGone))) return false;
  return true;
}
