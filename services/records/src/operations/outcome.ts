import type { Change } from '../domain/line.js';

/** What became of a change. `unresolved`: it names something that is not there (yet). `overtaken`: a newer one was faster. */
export type Outcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unresolved'; readonly reason: string };

export const accepted: Outcome = { kind: 'accepted' };
export const overtaken: Outcome = { kind: 'overtaken' };

interface Written {
  readonly institutionId: string;
  readonly sequence: number | undefined;
}

/** Why a change may not touch what is stored under its id: that belongs to somebody else, or was written by a newer live object. */
export function obstacle(change: Change, stored: Written): Outcome | undefined {
  if (stored.institutionId !== change.institutionId) {
    return { kind: 'rejected', reason: 'id belongs to a record of another institution.' };
  }
  return change.sequence !== undefined && change.sequence < (stored.sequence ?? 0) ? overtaken : undefined;
}

/** Whether a change says nothing that is not stored: not even a newer place in the stream. */
export function isKnown(change: Change, stored: Written): boolean {
  return change.sequence === undefined || change.sequence === stored.sequence;
}

/** What holds even where nothing could be saved. */
export function refusalsOf(outcomes: ReadonlyMap<Change, Outcome>): Map<Change, Outcome> {
  return new Map([...outcomes].filter(([, { kind }]) => kind !== 'accepted'));
}
