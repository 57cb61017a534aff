import { trusted, type Model, type QueryFilter } from 'mongoose';
import type { IsGone, Tenant } from '../operations/tenant.js';

interface OfInstitution {
  readonly _id: string;
  readonly institution_id: string;
}

/** The number of documents that are deleted together. */
const SLICE = 1_000;

/**
 * Deletes the documents of an institution in slices. Each is read before the institution is found missing, so that nothing is deleted that belongs to
 * one that was created again meanwhile.
 *
 * @param revisions the fields that change with each write of a document; a document that was changed since it was read is read again
 * @returns false if the institution exists again
 */
export async function removeAll<D extends OfInstitution>(
  model: Model<D>,
  { institutionId }: Tenant,
  { isGone, revisions = [] }: { readonly isGone: IsGone; readonly revisions?: readonly (keyof D & string)[] },
): Promise<boolean> {
  const ofInstitution = { institution_id: institutionId } as QueryFilter<D>;
  const fields = Object.fromEntries(['_id', ...revisions].map((name) => [name, 1]));
  for (;;) {
    const found = await model.find(ofInstitution, fields).limit(SLICE).lean<Pick<D, '_id'>[]>();
    if (found.length === 0) return true;
    if (!(await isGone())) return false;
    if (revisions.length === 0) {
      await model.deleteMany({ ...ofInstitution, _id: trusted({ $in: found.map(({ _id }) => _id) }) });
    } else {
      await model.bulkWrite(
        found.map((document) => ({ deleteOne: { filter: { ...ofInstitution, ...document } } })),
        { ordered: false },
      );
    }
  }
}
