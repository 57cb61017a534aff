import { createHash } from 'node:crypto';
import { formatLocalDate, type EpochSecond } from '@stechuhr/worktime';
import type { EntryValue } from './entry-value.js';
import { fieldTypeOf } from './field-types.js';
import type { ReportKey } from './report.js';

/** A recorded value of a report. Entries are never changed. */
export interface Entry extends ReportKey {
  readonly id: string;
  readonly fieldId: string;
  readonly value: EntryValue;
  /** An account; null for entries of the system. */
  readonly authorId: string | null;
  /** An employee. */
  readonly onBehalfOfId: string | null;
  /** Whether it deletes its group, as long as it is the newest entry of it. */
  readonly burned: boolean;
  /** Null for entries of the system. */
  readonly submittedAt: EpochSecond | null;
  readonly createdAt: EpochSecond;
  readonly modifiedAt: EpochSecond;
  /** Of two entries of a report, the one with the higher sequence is newer. */
  readonly sequence: number;
}

/** The fields that define the group of an entry. The newest entry of a group is its value. */
export type Grouped = Pick<Entry, 'tagId' | 'date' | 'fieldId' | 'value' | 'onBehalfOfId'>;

/** The group id in the API. Texts may contain the separator, so two groups may have the same id: only {@link groupHash} is unique. */
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

/** The newest entry of each group, including tombstones, by sequence. */
export function newestOfGroups(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of [...entries].sort((a, b) => a.sequence - b.sequence)) {
    const hash = groupHash(entry);
    newest.delete(hash);
    newest.set(hash, entry);
  }
  return [...newest.values()];
}
