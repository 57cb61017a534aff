import type { CloudEvent } from '@stechuhr/contracts';
import type { Page, PageRequest } from '@stechuhr/kernel';
import type { Entry } from '../domain/entry.js';
import type { KnownFields } from '../domain/known-fields.js';
import type { DayBounds, ReportKey } from '../domain/report.js';
import type { Tenant } from './tenant.js';

/** An entry on its way into the store. */
export interface EntryWrite {
  readonly entry: Entry;
  /** 1 for the first of its group, then without gaps: two writers cannot take the same. */
  readonly version: number;
  readonly origin: EntryOrigin;
  readonly event: CloudEvent;
}

/** The origin of an entry, which distinguishes a repeat from a contradiction, and a late object from a new one. */
export interface EntryOrigin {
  /** Of the line; null for what the system wrote. */
  readonly fingerprint: string | null;
  /** Place in the stream of live objects. */
  readonly liveSequence: number | undefined;
}

/**
 * What became of a write: `taken` when another writer took its version, `known` when there is an entry of its id, `foreign` when that is of
 * another institution.
 */
export type Inserted = 'inserted' | 'taken' | 'known' | 'foreign';

/** The newest of a group. */
export interface GroupHead {
  readonly entry: Entry;
  readonly version: number;
}

/** The fields of a stored entry against which lines are compared. */
export interface KnownEntry extends ReportKey, EntryOrigin {
  readonly id: string;
  readonly institutionId: string;
}

/** An entry, whether it is taken for an older version of its group, and the bytes of its texts with the image of a signature. */
export interface StoredEntry extends Entry {
  readonly isSuperseded: boolean;
  readonly bytes: number;
}

/** Which of an institution's entries a list shows. */
export interface EntryFilter {
  readonly projectIds: readonly string[];
  readonly range: DayBounds;
  readonly known: readonly KnownFields[];
  readonly fieldId: string | undefined;
  readonly ids: readonly string[] | undefined;
  /** In seconds since 1970: when it was stored, whatever times it says. */
  readonly modifiedSince: number | undefined;
}

export interface EntryPage extends PageRequest {
  readonly filter: EntryFilter;
  /** By date; the newest entry of a day comes first either way. */
  readonly ascending: boolean;
  /** Leaves out superseded versions. */
  readonly newestOnly: boolean;
}

/** An entry that was requested by id: its place in the list and in its group. */
export interface GroupMember extends ReportKey {
  readonly id: string;
  readonly group: string;
  readonly sequence: number;
}

/** Which entries of a report to read; signatures are large. */
export interface ReportPart {
  readonly fieldIds?: readonly string[];
}

/** The entries, append-only. Writing them is `recordEntries`' job, which keeps the report in step. */
export interface EntryStore {
  /** All versions, by sequence. */
  ofReport(tenant: Tenant, report: ReportKey, part?: ReportPart): Promise<readonly Entry[]>;
  /** All versions of some reports, one report after the other, without the images of signatures; those without entries are left out. */
  ofReports(tenant: Tenant, reports: readonly ReportKey[]): AsyncIterable<readonly [reportId: string, entries: readonly StoredEntry[]]>;
  /** The newest of each of these groups, by hash. */
  headsOf(tenant: Tenant, groups: readonly string[]): Promise<ReadonlyMap<string, GroupHead>>;
  /** @returns what became of each, in the order given */
  insert(tenant: Tenant, writes: readonly EntryWrite[]): Promise<readonly Inserted[]>;
  /** Stores which entries are superseded by a newer version, and which are not. */
  setSuperseded(tenant: Tenant, ids: { readonly superseded: readonly string[]; readonly current: readonly string[] }): Promise<void>;
  known(entries: readonly (Tenant & { readonly id: string })[]): Promise<ReadonlyMap<string, KnownEntry>>;
  /** Those of the ids that other institutions have. It asks the whole database. */
  takenByOthers(tenant: Tenant, ids: readonly string[]): Promise<ReadonlySet<string>>;
  find(tenant: Tenant, ids: readonly string[]): Promise<ReadonlyMap<string, Entry>>;
  remove(tenant: Tenant, id: string): Promise<void>;
  /** Whether any entry has the key as its photo or preview. */
  namesPhoto(tenant: Tenant, key: string): Promise<boolean>;
  /** All of the institution, with events that still wait. */
  removeAll(tenant: Tenant): Promise<void>;
  page(tenant: Tenant, page: EntryPage): Promise<Page<Entry>>;
  members(tenant: Tenant, filter: EntryFilter): Promise<readonly GroupMember[]>;
  /** How many versions each of these groups has; with a time those that were stored since then. */
  countVersions(tenant: Tenant, groups: readonly string[], since: EntryFilter['modifiedSince']): Promise<ReadonlyMap<string, number>>;
}
