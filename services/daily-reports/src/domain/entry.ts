import { createHash } from 'node:crypto';
import { formatLocalDate, type EpochSecond } from '@stechuhr/worktime';
import type { EntryValue } from './entry-value.js';
import { fieldTypeOf } from './field-types.js';
import type { ReportKey } from './report.js';

/** What is recorded of a report; it never changes. */
export interface Entry extends ReportKey {
  readonly id: string;
  readonly fieldId: string;
  readonly value: EntryValue;
  /** An account; null for what the system wrote. */
  readonly authorId: string | null;
  /** An employee. */
  readonly onBehalfOfId: string | null;
  /** Deletes the group while it is the newest of it. */
  readonly burned: boolean;
  /** Null for what the system wrote. */
  readonly submittedAt: EpochSecond | null;
  readonly createdAt: EpochSecond;
  readonly modifiedAt: EpochSecond;
  /** Of two entries of a report the one with the higher sequence is newer. */
  readonly sequence: number;
}

/** What makes entries belong together: the newest of them is the value. */
export type Grouped = Pick<Entry, 'tagId' | 'date' | 'fieldId' | 'value' | 'onBehalfOfId'>;

/**
 * As the API shows it. Texts may contain the separator, and equal parts of two fields look alike: only {@link groupHash} identifies a
 * group.
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

/** The newest of each group, tombstones included, in the order of their sequence. */
export function newestOfGroups(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of [...entries].sort((a, b) => a.sequence - b.sequence)) {
    const hash = groupHash(entry);
    newest.delete(hash);
    newest.set(hash, entry);
  }
  return [...newest.values()];
}
