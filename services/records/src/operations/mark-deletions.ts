import type { Change } from '../domain/kind.js';
import type { WriteContext } from './ports.js';

/**
 * Remembers deletions of live objects, so that an older object that comes late does not bring the record back. Before the deletion itself:
 * a crash in between is repeated.
 *
 * @param sequenceOf where the record was last written; a deletion by import is remembered at that place
 */
export async function markDeletions(
  { markers }: WriteContext,
  deletions: readonly Change[],
  sequenceOf: (change: Change) => number | undefined,
): Promise<void> {
  for (const change of deletions) {
    const sequence = change.sequence ?? sequenceOf(change);
    if (sequence !== undefined) await markers.put(change.kind, change.id, sequence);
  }
}
