import type { Reference } from '@stechuhr/ingest/kinds';
import { resolver, type Named } from './find-unresolved.js';
import type { RecordStore } from './ports.js';

/** Of the references those that nothing in the institution has the id of; another institution does not count. */
export async function findMissing(context: { records: RecordStore }, named: Named): Promise<readonly Pick<Reference, 'kind' | 'id'>[]> {
  const resolves = await resolver(context.records, [named]);
  return named.references.filter((reference) => !resolves(named.institutionId, reference));
}
