import type { ReferenceLookup } from '@stechuhr/ingest';
import type { RepeatedRemovals } from '@stechuhr/mongo';
import type { PhotoBin, Ports, Tenant } from './ports.js';

interface RemovalContext extends Pick<Ports, 'entries' | 'reports' | 'forms' | 'uploads'> {
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
 * same id was created again, everything is kept: new data cannot be distinguished from old data, and site documentation must not be lost.
 */
export async function removeInstitution({ references, bin, ...stores }: RemovalContext, tenant: Tenant): Promise<void> {
  const { institutionId } = tenant;
  const missing = await references.missing([{ institutionId, references: [{ kind: 'institution', id: institutionId }] }]);
  if (missing.length === 0) return;
  await stores.uploads.removeAll(tenant);
  await bin.removeAll(tenant);
  await stores.entries.removeAll(tenant);
  await stores.reports.removeAll(tenant);
  await stores.forms.removeAll(tenant);
}
