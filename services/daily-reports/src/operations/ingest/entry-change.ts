import { accepted, type Change, type Content, type Outcome } from '@stechuhr/ingest/kinds';
import type { EntryLine } from '../../domain/lines/entry-line.js';
import type { KnownEntry } from '../entry-port.js';

export type EntryChange = Change<Content<EntryLine>>;

/** Entries never change: a different line with a known id is a contradiction. */
export function sameOrRefused({ fingerprint }: Pick<KnownEntry, 'fingerprint'>, line: EntryLine): Outcome {
  return fingerprint === line.fingerprint ? accepted : { kind: 'rejected', reason: 'id belongs to another entry; entries never change.' };
}
