import { describeReport, formFingerprint, type Description } from '../domain/description.js';
import { newestOfGroups, type Entry } from '../domain/entry.js';
import { activeForm, type Form } from '../domain/form.js';
import { reportId, type ReportKey } from '../domain/report.js';
import type { StoredEntry } from './entry-port.js';
import type { Ports } from './ports.js';
import type { DescriptionWrite, Mark, StoredReport } from './report-port.js';
import type { Tenant } from './tenant.js';

export type SettlePorts = Pick<Ports, 'entries' | 'reports' | 'forms' | 'events' | 'clock' | 'notifyOutbox'>;

interface Terms {
  /** Marks of the one who calls. */
  readonly own?: readonly string[];
  /** A writer that lost the compare-and-set tries again; a reader already has what it needs. */
  readonly insist?: boolean;
}

/** A writer that has not finished by then was interrupted. */
const MARK_SECONDS = 60;
const MAX_RACES = 40;
/** There are few active writers; the next list computes what this one leaves. */
const REPORTS_A_LIST = 200;

/**
 * Computes the fields of reports from their entries and clears the marks of the writers: the event of an autofill is stored in the same
 * write. Marks of writers that may still be active stay: only these know when their entries are stored.
 *
 * @returns the descriptions by report id
 */
export async function settleReports(
  ports: SettlePorts,
  tenant: Tenant,
  reports: readonly ReportKey[],
  { own = [], insist = false }: Terms = {},
): Promise<ReadonlyMap<string, Description>> {
  const described = new Map<string, Description>();
  let open = [...reports];
  for (let race = 0; open.length > 0 && race < MAX_RACES; race += 1) {
    const writes = await describeAll(ports, tenant, { reports: open, own });
    for (const write of writes) described.set(reportId(write), write.description);
    const lost = new Set(await ports.reports.describe(tenant, writes));
    if (writes.some(({ events }) => events.length > 0)) ports.notifyOutbox();
    open = insist ? open.filter((report) => lost.has(reportId(report))) : [];
  }
  return described;
}

/** Computes the fields of reports whose writers are active or were interrupted, so that a list is complete. */
export async function settleMarked(ports: SettlePorts, tenant: Tenant): Promise<void> {
  const marked = await ports.reports.marked(tenant, REPORTS_A_LIST);
  if (marked.length > 0) await settleReports(ports, tenant, marked);
}

/** Completes interrupted writes of any institution, so that they are published even if no list is read. */
export async function settleLeftBehind(ports: SettlePorts): Promise<void> {
  const expired = Math.floor(ports.clock.now() / 1000) - MARK_SECONDS;
  const left = await ports.reports.leftBehind(expired, REPORTS_A_LIST);
  for (const [institutionId, reports] of Map.groupBy(left, (report) => report.institutionId)) {
    await settleReports(ports, { institutionId }, reports);
  }
}

/** Describes every report of the institution from its entries. @returns how many so far, after each slice */
export async function* rebuildDescriptors(ports: SettlePorts, tenant: Tenant): AsyncGenerator<number, void, undefined> {
  let rebuilt = 0;
  for await (const reports of ports.reports.all(tenant)) {
    await settleReports(ports, tenant, reports, { insist: true });
    rebuilt += reports.length;
    yield rebuilt;
  }
}

interface Selection {
  readonly reports: readonly ReportKey[];
  readonly own: readonly string[];
}

/** The entries are read after the revision, so that none of that revision is missed. */
async function describeAll(ports: SettlePorts, tenant: Tenant, { reports, own }: Selection): Promise<DescriptionWrite[]> {
  const stored = await ports.reports.load(tenant, reports);
  const [entries, forms] = await Promise.all([ports.entries.ofReports(tenant, reports), ports.forms.list(tenant)]);
  await markSuperseded(ports, tenant, [...entries.values()]);
  const expired = Math.floor(ports.clock.now() / 1000) - MARK_SECONDS;
  return [...stored.values()].map((report) => {
    const form = activeForm(forms, report.date);
    const ofReport = entries.get(reportId(report)) ?? [];
    const settled = settledMarks(report, own, expired);
    const filled = filledFields(form, settled, ofReport);
    return {
      tagId: report.tagId,
      date: report.date,
      revision: report.revision,
      formFingerprint: formFingerprint(form),
      description: describeReport(form, ofReport),
      settled: settled.map(({ id }) => id),
      events: filled.length > 0 ? [ports.events.autofilled(tenant, report, filled)] : [],
    };
  });
}

function settledMarks({ marks }: StoredReport, own: readonly string[], expired: number): readonly Mark[] {
  return marks.filter(({ id, at }) => own.includes(id) || at < expired);
}

/** The fields for which an autofill wrote what it announced, in the order of the form. */
function filledFields({ fields }: Form, marks: readonly Mark[], entries: readonly Entry[]): readonly string[] {
  const written = new Set(entries.map(({ id }) => id));
  const announced = marks.flatMap(({ autofilled }) => autofilled.filter(({ entryId }) => written.has(entryId)));
  const place = (id: string): number => fields.findIndex((field) => field.id === id);
  return [...new Set(announced.map(({ fieldId }) => fieldId))].sort((a, b) => place(a) - place(b));
}

async function markSuperseded({ entries }: SettlePorts, tenant: Tenant, reports: readonly (readonly StoredEntry[])[]): Promise<void> {
  const changed = reports.flatMap((ofReport) => {
    const newest = new Set(newestOfGroups(ofReport).map(({ id }) => id));
    return ofReport.filter(({ id, isSuperseded }) => newest.has(id) === isSuperseded);
  });
  if (changed.length === 0) return;
  const superseded = changed.filter(({ isSuperseded }) => !isSuperseded).map(({ id }) => id);
  await entries.setSuperseded(tenant, { superseded, current: changed.filter(({ isSuperseded }) => isSuperseded).map(({ id }) => id) });
}
