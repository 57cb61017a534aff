import type { CloudEvent } from '@stechuhr/contracts';
import type { Page, PageRequest } from '@stechuhr/kernel';
import type { Entry } from '../domain/entry.js';
import type { KnownFields } from '../domain/known-fields.js';
import type { DayBounds, ReportKey } from '../domain/report.js';
import type { IsGone, Tenant } from './tenant.js';

/** An entry to store. */
export interface EntryWrite {
  readonly entry: Entry;
  /** 1 for the first entry of its group, then without gaps. Two writers cannot take the same version. */
  readonly version: number;
  readonly origin: EntryOrigin;
  readonly event: CloudEvent;
}

/** The origin of an entry. It distinguishes a repeated line from a contradictory one, and a late live object from a new one. */
export interface EntryOrigin {
  /** The fingerprint of the line; null for system entries. */
  readonly fingerprint: string | null;
  /** Position in the stream of live objects. */
  readonly liveSequence: number | undefined;
}

/**
 * The outcome of a write. `taken`: another writer took the version; `known`: an entry with this id exists; `foreign`: another institution
 * uses this id.
 */
export type Inserted = 'inserted' | 'taken' | 'known' | 'foreign';

/** The newest entry of a group. */
export interface GroupHead {
  readonly entry: Entry;
  readonly version: number;
}

/** The fields of a stored entry that are compared with lines. */
export interface KnownEntry extends ReportKey, EntryOrigin {
  readonly id: string;
  readonly institutionId: string;
}

/** An entry with whether it is stored as superseded, and the size of its texts including the image of a signature. */
export interface StoredEntry extends Entry {
  readonly isSuperseded: boolean;
  readonly bytes: number;
}

/** The filter of a list of entries. */
export interface EntryFilter {
  readonly projectIds: readonly string[];
  readonly range: DayBounds;
  readonly known: readonly KnownFields[];
  readonly fieldId: string | undefined;
  readonly ids: readonly string[] | undefined;
  /** Only entries that were stored at or after this time, in seconds since 1970, regardless of their own times. */
  readonly modifiedSince: number | undefined;
}

export interface EntryPage extends PageRequest {
  readonly filter: EntryFilter;
  /** The order of dates. The newest entry of a day always comes first. */
  readonly ascending: boolean;
  /** Excludes superseded versions. */
  readonly newestOnly: boolean;
}

/** An entry that was requested by id, with its group and sequence. */
export interface GroupMember extends ReportKey {
  readonly id: string;
  readonly group: string;
  readonly sequence: number;
}

/** The entries of a report to read. They can be restricted to some fields, because signatures are large. */
export interface ReportPart {
  readonly fieldIds?: readonly string[];
}

/** Stores entries, append-only. Write them with `recordEntries`, which keeps the report consistent. */
export interface EntryStore {
  /** Returns all versions, by sequence. */
  ofReport(tenant: Tenant, report: ReportKey, part?: ReportPart): Promise<readonly Entry[]>;
  /**
   * Streams all versions of reports, one report after the other, without the images of signatures. Reports without entries are left out.
   */
  ofReports(tenant: Tenant, reports: readonly ReportKey[]): AsyncIterable<readonly [reportId: string, entries: readonly StoredEntry[]]>;
  /** Returns the newest entry of each of these groups, by hash. */
  headsOf(tenant: Tenant, groups: readonly string[]): Promise<ReadonlyMap<string, GroupHead>>;
  /** Inserts entries. @returns the outcome of each one, in the given order */
  insert(tenant: Tenant, writes: readonly EntryWrite[]): Promise<readonly Inserted[]>;
  /** Stores which entries are superseded by a newer version, and which are not. */
  setSuperseded(tenant: Tenant, ids: { readonly superseded: readonly string[]; readonly current: readonly string[] }): Promise<void>;
  known(entries: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, KnownEntry>>;
  /** Returns the ids that other institutions use. The query covers the whole database. */
  takenByOthers(tenant: Tenant, ids: readonly string[]): Promise<ReadonlySet<string>>;
  find(tenant: Tenant, ids: readonly string[]): Promise<ReadonlyMap<string, Entry>>;
  /** Removes an entry; its event is published unless the entry does not exist any more. */
  remove(tenant: Tenant, id: string, event: CloudEvent): Promise<void>;
  /** Returns whether any entry has the key as its photo or preview. */
  namesPhoto(tenant: Tenant, key: string): Promise<boolean>;
  /** Deletes all data of the institution, including unpublished events. @returns false if the institution exists again */
  removeAll(tenant: Tenant, isGone: IsGone): Promise<boolean>;
  page(tenant: Tenant, page: EntryPage): Promise<Page<Entry>>;
  members(tenant: Tenant, filter: EntryFilter): Promise<readonly GroupMember[]>;
  /** Returns the number of versions of each of these groups; with a time, only of versions stored since then. */
  countVersions(tenant: Tenant, groups: readonly string[], since: EntryFilter['modifiedSince']): Promise<ReadonlyMap<string, number>>;
}
