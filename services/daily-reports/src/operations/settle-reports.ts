import type { SliceClaims } from '@stechuhr/bus';
import { bytesOfDescription, describeReport, formFingerprint, type Description } from '../domain/description.js';
import { newestOfGroups, type Entry } from '../domain/entry.js';
import { activeForm, type Form } from '../domain/form.js';
import { reportId, type ReportKey } from '../domain/report.js';
import type { ReportSize } from '../domain/report-size.js';
import type { StoredEntry } from './entry-port.js';
import type { Call, Ports, WrittenAutofill } from './ports.js';
import type { DescriptionWrite, Mark, MarkedReport } from './report-port.js';
import type { Tenant } from './tenant.js';

export type SettlePorts = Pick<Ports, 'entries' | 'reports' | 'forms' | 'events' | 'clock' | 'notifyOutbox'>;

interface Terms {
  /** The caller's own marks. */
  readonly own?: readonly Mark[];
  /**
   * Whether to try again after every lost compare-and-set. Writers do; a reader already has the data it needs, and does so only where it has stored which
   * entries are superseded.
   */
  readonly insist?: boolean;
  /** Called with the new description of each report. */
  readonly onDescribed?: (report: ReportKey, description: Description) => void;
}

/** A writer that has not finished after this time was interrupted. */
const MARK_SECONDS = 60;
const MAX_RACES = 40;
/** The number of marked reports that are read together. */
const REPORTS_A_SLICE = 200;
/** The size of the descriptions that are stored together. */
const MAX_WRITE_BYTES = 4 * 1024 * 1024;
/** The approximate size of a description in addition to its texts, for each entry that it may contain. */
const BYTES_AN_ENTRY = 100;

/**
 * Computes the fields of reports from their entries and clears the marks of the writers. The event of an autofill is stored in the same
 * write. Marks of writers that may still be active are kept, because only these writers know when their entries are stored. Only the
 * entries of one report are held in memory at a time.
 */
export async function settleReports(
  ports: SettlePorts,
  tenant: Tenant,
  reports: readonly ReportKey[],
  { own = [], insist = false, onDescribed }: Terms = {},
): Promise<void> {
  let open = [...reports];
  for (let race = 0; open.length > 0 && race < MAX_RACES; race += 1) {
    const lost = new Set<string>();
    const moved = new Set<string>();
    let waiting: Settled[] = [];
    let bytes = 0;
    const store = async () => {
      for (const id of await storeSettled(ports, tenant, waiting)) lost.add(id);
      [waiting, bytes] = [[], 0];
    };
    for await (const settled of describeEach(ports, tenant, { reports: open, own })) {
      // A page counts each report once.
      if (race === 0) onDescribed?.(settled.write, settled.write.description);
      if (settled.superseded.length + settled.current.length > 0) moved.add(reportId(settled.write));
      waiting.push(settled);
      bytes += bytesOfDescription(settled.write.description) + settled.entries * BYTES_AN_ENTRY;
      if (bytes >= MAX_WRITE_BYTES) await store();
    }
    if (waiting.length > 0) await store();
    // Where places of entries were stored, they may be from before the entries that others have written or removed meanwhile.
    open = open.filter((report) => lost.has(reportId(report)) && (insist || moved.has(reportId(report))));
  }
}

/**
 * Computes the fields of reports whose writers are active or were interrupted, so that a list is complete. An import alone may be writing hundreds of
 * them.
 */
export async function settleMarked(ports: SettlePorts, tenant: Tenant): Promise<void> {
  const marked = await ports.reports.marked(tenant);
  for (let at = 0; at < marked.length; at += REPORTS_A_SLICE) await settleReports(ports, tenant, marked.slice(at, at + REPORTS_A_SLICE));
}

/**
 * Completes interrupted writes of all institutions, so that they are published even if no list is read. Each replica takes slices of them, so reports
 * that cannot be completed do not keep others waiting.
 *
 * @throws the first failure, after all slices were processed
 */
export async function settleLeftBehind(ports: SettlePorts, claims: SliceClaims, signal: AbortSignal): Promise<void> {
  const expired = Math.floor(ports.clock.now() / 1000) - MARK_SECONDS;
  const failures: unknown[] = [];
  const lastAfter = async (after: string) => (await ports.reports.leftBehind(expired, { after, limit: REPORTS_A_SLICE })).at(-1)?.key;
  while (!signal.aborted) {
    const slice = await claims.take('daily-reports/marks', lastAfter);
    if (slice === undefined) break;
    const left = await ports.reports.leftBehind(expired, { ...slice, limit: REPORTS_A_SLICE });
    for (const [institutionId, reports] of Map.groupBy(left, (report) => report.institutionId))
      await settleReports(ports, { institutionId }, reports).catch((caught: unknown) => failures.push(caught));
    await slice.done();
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Recomputes every report of the institution from its entries.
 *
 * @returns the number so far, after each slice
 * @throws AppError `not_found` if there are no reports because the institution does not exist
 */
export async function* rebuildDescriptors(call: SettlePorts & Pick<Call, 'caller' | 'records'>): AsyncGenerator<number, void, undefined> {
  let rebuilt = 0;
  for await (const settled of settleAll(call, call.caller)) {
    rebuilt += settled;
    yield rebuilt;
  }
  if (rebuilt === 0) await call.records.readInstitutionName();
}

/** Recomputes every report of the institution. @returns the number of reports of each slice */
export async function* settleAll(ports: SettlePorts, tenant: Tenant): AsyncGenerator<number, void, undefined> {
  for await (const reports of ports.reports.all(tenant)) {
    await settleReports(ports, tenant, reports, { insist: true });
    yield reports.length;
  }
}

interface Selection {
  readonly reports: readonly ReportKey[];
  readonly own: readonly Mark[];
}

/** A description to store, with the ids of entries whose stored superseded state has to change. */
interface Settled {
  readonly write: DescriptionWrite;
  readonly entries: number;
  readonly superseded: readonly string[];
  readonly current: readonly string[];
}

/** Computes the reports one by one. Entries are read after the revision, so that none of that revision is missed. */
async function* describeEach(ports: SettlePorts, tenant: Tenant, { reports, own }: Selection): AsyncGenerator<Settled, void, undefined> {
  const [stored, forms] = await Promise.all([ports.reports.load(tenant, reports), ports.forms.list(tenant)]);
  const expired = Math.floor(ports.clock.now() / 1000) - MARK_SECONDS;
  const described = new Set<string>();
  const describe = (report: MarkedReport, entries: readonly StoredEntry[]): Settled => {
    const form = activeForm(forms, report.date);
    const settled = settledMarks(report, own, expired);
    const write = {
      tagId: report.tagId,
      date: report.date,
      revision: report.revision,
      formFingerprint: formFingerprint(form),
      description: describeReport(form, entries),
      // Entries that other writers are about to store are already counted.
      size: settled.length === report.marks.length ? sizeOfStored(entries) : undefined,
      settled: settled.map(({ id }) => id),
      events: autofillsOf(form, { own, settled }, entries).map((autofill) => ports.events.autofilled(tenant, report, autofill)),
    };
    return { write, entries: entries.length, ...changedPlaces(entries) };
  };
  for await (const [id, entries] of ports.entries.ofReports(tenant, [...stored.values()])) {
    const report = stored.get(id);
    if (report === undefined) continue;
    described.add(id);
    yield describe(report, entries);
  }
  for (const [id, report] of stored) if (!described.has(id)) yield describe(report, []);
}

function sizeOfStored(entries: readonly StoredEntry[]): ReportSize {
  return { entries: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function settledMarks({ marks }: MarkedReport, own: readonly Mark[], expired: number): readonly Mark[] {
  return marks.filter(({ id, at }) => at < expired || own.some((mark) => mark.id === id));
}

interface Settling {
  readonly own: readonly Mark[];
  readonly settled: readonly Mark[];
}

/**
 * Returns the autofills whose event has to be published. Those of interrupted writers have one mark; that of the caller may have several, the later
 * ones with entries that were first lost to another writer. The caller's counts even if another process has cleared its marks, because this one was
 * suspended for more than a minute or its clock is behind: the entries may have been stored only afterwards, and then nobody has published it.
 */
function autofillsOf(form: Form, { own, settled }: Settling, entries: readonly Entry[]): readonly WrittenAutofill[] {
  const written = new Set(entries.map(({ id }) => id));
  const ofOthers = settled.filter(({ id }) => !own.some((mark) => mark.id === id));
  return [own.filter(({ autofilled }) => autofilled.length > 0), ...ofOthers.map((mark) => [mark])].flatMap((marks) => {
    const filled = marks.flatMap(({ autofilled }) => autofilled.filter(({ entryId }) => written.delete(entryId)));
    const [first] = marks;
    return first === undefined || filled.length === 0 ? [] : [{ markId: first.id, fieldIds: inOrderOf(form, filled) }];
  });
}

function inOrderOf({ fields }: Form, filled: Mark['autofilled']): readonly string[] {
  const place = (id: string): number => fields.findIndex((field) => field.id === id);
  return [...new Set(filled.map(({ fieldId }) => fieldId))].sort((a, b) => place(a) - place(b));
}

/** Returns the ids of entries whose stored superseded state is wrong. */
function changedPlaces(entries: readonly StoredEntry[]): Pick<Settled, 'superseded' | 'current'> {
  const newest = new Set(newestOfGroups(entries).map(({ id }) => id));
  const changed = entries.filter(({ id, isSuperseded }) => newest.has(id) === isSuperseded);
  const idsOf = (was: boolean) => changed.filter(({ isSuperseded }) => isSuperseded === was).map(({ id }) => id);
  return { superseded: idsOf(false), current: idsOf(true) };
}

/** Stores descriptions. @returns the ids of the reports that lost the compare-and-set */
async function storeSettled(ports: SettlePorts, tenant: Tenant, settled: readonly Settled[]): Promise<readonly string[]> {
  const superseded = settled.flatMap((one) => one.superseded);
  const current = settled.flatMap((one) => one.current);
  if (superseded.length + current.length > 0) await ports.entries.setSuperseded(tenant, { superseded, current });
  const writes = settled.map(({ write }) => write);
  const lost = await ports.reports.describe(tenant, writes);
  if (writes.some(({ events }) => events.length > 0)) ports.notifyOutbox();
  return lost;
}
