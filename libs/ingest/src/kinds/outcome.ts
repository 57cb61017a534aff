import type { Change } from './change.js';

/**
 * The result of a change.
 *
 * - `unresolved`: it references something that does not exist (yet), or takes a place that another record has (still).
 * - `behind`: it was not tried, because an earlier line with which it must stay in order is waiting.
 * - `overtaken`: a newer change of the same record has been written.
 */
export type Outcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'behind' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unresolved'; readonly reason: string };

/** The change is stored. */
export const accepted: Outcome = { kind: 'accepted' };

/** A newer change has already been written; this one has no effect. */
export const overtaken: Outcome = { kind: 'overtaken' };

/** The institution of a stored record, and when it was last written. */
export interface Written {
  readonly institutionId: string;
  /** Stream sequence of the live object that last wrote the record; undefined if no live object did. */
  readonly sequence: number | undefined;
}

/**
 * Returns why a change may not overwrite the stored record with its id: the record belongs to another institution, or was written by a
 * newer live object. Returns undefined if it may.
 */
export function obstacle(change: Change, stored: Written): Outcome | undefined {
  if (stored.institutionId !== change.institutionId) {
    return { kind: 'rejected', reason: 'id belongs to a record of another institution.' };
  }
  return change.sequence !== undefined && change.sequence < (stored.sequence ?? 0) ? overtaken : undefined;
}

/**
 * Whether a change has nothing to write: an imported line with the stored fields, or a live object that was written before. Such an object is
 * delivered again if its acknowledgement was lost. An import may have changed the record since, and an imported line always wins.
 */
export function isStored({ sequence }: Change, stored: Written, hasStoredFields: boolean): boolean {
  return sequence === undefined ? hasStoredFields : sequence === stored.sequence;
}
