import type { Outcome } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';

/** What holds even where nothing could be saved. */
export function refusalsOf(outcomes: ReadonlyMap<Change, Outcome>): Map<Change, Outcome> {
  return new Map([...outcomes].filter(([, { kind }]) => kind !== 'accepted'));
}
