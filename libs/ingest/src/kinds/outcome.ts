import type { Change } from './change.js';

/**
 * What became of a change. `unresolved`: it names something that is not there (yet). `behind`: not tried, because an earlier line waits
 * whose order it keeps. `overtaken`: a newer one has been written.
 */
export type Outcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'behind' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unresolved'; readonly reason: string };

/** The change is stored. */
export const accepted: Outcome = { kind: 'accepted' };

/** A newer change was written before; this one has no effect. */
export const overtaken: Outcome = { kind: 'overtaken' };

/** By whom and when a record was last written. */
export interface Written {
  readonly institutionId: string;
  /** Place in the stream of the live object that was written last; undefined where there was none. */
  readonly sequence: number | undefined;
}

/**
 * Why a change may not overwrite what is stored under its id: it belongs to another institution or record, or was written by a newer live
 * object.
 */
export function obstacle(change: Change, stored: Written): Outcome | undefined {
  if (stored.institutionId !== change.institutionId) {
    return { kind: 'rejected', reason: 'id belongs to a record of another institution.' };
  }
  return change.sequence !== undefined && change.sequence < (stored.sequence ?? 0) ? overtaken : undefined;
}

/** Whether a change with equal fields contains nothing new, not even a newer place in the stream. */
export function isKnown(change: Change, stored: Written): boolean {
  return change.sequence === undefined || change.sequence === stored.sequence;
}
