import type { CloudEvent } from '@stechuhr/contracts';
import type { Page, PageRequest } from '@stechuhr/kernel';
import type { Entry } from '../domain/entry.js';
import type { KnownFields } from '../domain/known-fields.js';
import type { DayBounds, ReportKey } from '../domain/report.js';
import type { Tenant } from './tenant.js';

/** An entry to be stored. */
export interface EntryWrite {
  readonly entry: Entry;
  /** 1 for the first entry of its group, then consecutive, so that two writers cannot use the same version. */
  readonly version: number;
  readonly origin: EntryOrigin;
  readonly event: CloudEvent;
}

/** The origin of an entry, which distinguishes a repetition from a contradiction, and an outdated live object from a new one. */
export interface EntryOrigin {
  /** Of the line; null for entries of the system. */
  readonly fingerprint: string | null;
  /** Position in the stream of live objects. */
  readonly liveSequence: number | undefined;
}

/**
 * The result of a write: `taken` if another writer used its version, `known` if an entry with its id exists, `foreign` if that belongs to another
 * institution.
 */
export type Inserted = 'inserted' | 'taken' | 'known' | 'foreign';

/** The newest entry of a group. */
export interface GroupHead {
  readonly entry: Entry;
  readonly version: number;
}

/** The fields of a stored entry with which lines are compared. */
export interface KnownEntry extends ReportKey, EntryOrigin {
  readonly id: string;
  readonly institutionId: string;
}

/** An entry, whether it is marked as superseded, and the size of its texts including the image of a signature. */
export interface StoredEntry extends Entry {
  readonly isSuperseded: boolean;
  readonly bytes: number;
}

/** Selects the entries of an institution for a list. */
export interface EntryFilter {
  readonly projectIds: readonly string[];
  readonly range: DayBounds;
  readonly known: readonly KnownFields[];
  readonly fieldId: string | undefined;
  readonly ids: readonly string[] | undefined;
  /** In seconds since 1970: when it was stored, regardless of the times in the entry. */
  readonly modifiedSince: number | undefined;
}

export interface EntryPage extends PageRequest {
  readonly filter: EntryFilter;
  /** Orders by date; within a day, the newest entry always comes first. */
  readonly ascending: boolean;
  /** Excludes superseded versions. */
  readonly newestOnly: boolean;
}

/** An entry that was requested by id, with its sort key and its group. */
export interface GroupMember extends ReportKey {
  readonly id: string;
  readonly group: string;
  readonly sequence: number;
}

/** Which entries of a report to read, and whether with signatures, which are large. */
export interface ReportPart {
  readonly fieldIds?: readonly string[];
}

/** The entries, append-only. They are written through `recordEntries`, which keeps the report up to date. */
export interface EntryStore {
  /** All versions, by sequence. */
  ofReport(tenant: Tenant, report: ReportKey, part?: ReportPart): Promise<readonly Entry[]>;
  /** All versions of some reports, one report after the other, without the images of signatures; reports without entries are left out. */
  ofReports(tenant: Tenant, reports: readonly ReportKey[]): AsyncIterable<readonly [reportId: string, entries: readonly StoredEntry[]]>;
  /** The newest entry of each of these groups, by hash. */
  headsOf(tenant: Tenant, groups: readonly string[]): Promise<ReadonlyMap<string, GroupHead>>;
  /** @returns the result for each write, in the given order */
  insert(tenant: Tenant, writes: readonly EntryWrite[]): Promise<readonly Inserted[]>;
  /** Stores which entries are superseded by a newer version, and which are not. */
  setSuperseded(tenant: Tenant, ids: { readonly superseded: readonly string[]; readonly current: readonly string[] }): Promise<void>;
  known(entries: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, KnownEntry>>;
  /** Those of the ids that other institutions own. Queries all shards. */
  takenByOthers(tenant: Tenant, ids: readonly string[]): Promise<ReadonlySet<string>>;
  find(tenant: Tenant, ids: readonly string[]): Promise<ReadonlyMap<string, Entry>>;
  remove(tenant: Tenant, id: string): Promise<void>;
  /** Whether an entry references the key as its photo or preview. */
  namesPhoto(tenant: Tenant, key: string): Promise<boolean>;
  /** Removes all entries of the institution, including unpublished events. */
  removeAll(tenant: Tenant): Promise<void>;
  page(tenant: Tenant, page: EntryPage): Promise<Page<Entry>>;
  members(tenant: Tenant, filter: EntryFilter): Promise<readonly GroupMember[]>;
  /** The number of versions in each of these groups; with a time, of those stored since then. */
  countVersions(tenant: Tenant, groups: readonly string[], since: EntryFilter['modifiedSince']): Promise<ReadonlyMap<string, number>>;
}
