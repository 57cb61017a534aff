import { createHash } from 'node:crypto';
import { formatLocalDate, type EpochSecond } from '@stechuhr/worktime';
import type { EntryValue } from './entry-value.js';
import { fieldTypeOf } from './field-types.js';
import type { ReportKey } from './report.js';

/** A recorded value of a report. Entries never change. */
export interface Entry extends ReportKey {
  readonly id: string;
  readonly fieldId: string;
  readonly value: EntryValue;
  /** The account of the author; null for system entries. */
  readonly authorId: string | null;
  /** The employee that the entry is about. */
  readonly onBehalfOfId: string | null;
  /** Whether the entry is a tombstone, which deletes its group while it is the newest entry of the group. */
  readonly burned: boolean;
  /** Null for system entries. */
  readonly submittedAt: EpochSecond | null;
  readonly createdAt: EpochSecond;
  readonly modifiedAt: EpochSecond;
  /** Of two entries of a report, the one with the higher sequence is newer. */
  readonly sequence: number;
}

/** The fields that determine the group of an entry. The newest entry of a group is its value. */
export type Grouped = Pick<Entry, 'tagId' | 'date' | 'fieldId' | 'value' | 'onBehalfOfId'>;

/**
 * Returns the group id that the API shows. It is not unique: texts may contain the separator, and groups of two fields may have equal
 * parts. Only {@link groupHash} identifies a group.
 */
export function groupId(entry: Grouped): string {
  const parts = groupingValues(entry).map((part) => part ?? '');
  return [formatLocalDate(entry.date), entry.tagId, ...parts].join('|');
}

export function groupHash(entry: Grouped): string {
  const key = [entry.tagId, entry.date, entry.fieldId, entry.value.type, ...groupingValues(entry)];
  return createHash('sha256').update(JSON.stringify(key)).digest('base64url');
}

function groupingValues({ value, onBehalfOfId }: Grouped): readonly (string | null)[] {
  return fieldTypeOf(value.type).groupingValues(value, onBehalfOfId);
}

/** Returns the newest entry of each group, including tombstones, by sequence. */
export function newestOfGroups(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of [...entries].sort((a, b) => a.sequence - b.sequence)) {
    const hash = groupHash(entry);
    newest.delete(hash);
    newest.set(hash, entry);
  }
  return [...newest.values()];
}
