import { trusted, type QueryFilter } from 'mongoose';
import type { KnownFields } from '../domain/known-fields.js';
import type { DayBounds } from '../domain/report.js';
import type { EntryFilter } from '../operations/entry-port.js';
import type { Tenant } from '../operations/tenant.js';
import type { EntryDocument } from './entry-model.js';

type Filter = QueryFilter<EntryDocument>;

export function toFilter({ institutionId }: Tenant, { projectIds, range, known, fieldId, ids }: EntryFilter): Filter {
  return {
    institution_id: institutionId,
    tag_id: trusted({ $in: [...projectIds] }),
    ...daysWithin(range),
    ...(fieldId !== undefined && { field_id: fieldId }),
    ...(ids && { _id: trusted({ $in: [...ids] }) }),
    ...fieldsWithin(known),
  };
}

/** A condition on `date`; none where there is no bound. */
export function daysWithin({ from, until }: DayBounds): { readonly date?: number } {
  if (from === undefined && until === undefined) return {};
  // The type of an operator is that of the field: mongoose takes it as a condition.
  return { date: trusted({ ...(from !== undefined && { $gte: from }), ...(until !== undefined && { $lte: until }) }) as unknown as number };
}

function fieldsWithin(known: readonly KnownFields[]): Filter {
  const conditions = known.map((days): Filter => ({
    ...daysWithin(days),
    field_key: trusted({ $in: days.fields.map(({ id, type }) => `${type}/${id}`) }),
  }));
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { $or: conditions };
}
