import type { ImportedReferences } from '@stechuhr/ingest';
import { reportId, type ReportKey } from '../../domain/report.js';
import { NO_ENTRIES, together, type ReportSize } from '../../domain/report-size.js';
import type { EntryStore, KnownEntry } from '../entry-port.js';
import type { FormStore, FormWrite, StoredForm } from '../form-port.js';
import type { IngestNeeds } from '../ports.js';
import { NEW_REPORT, type RecordedChange, type ReportStore, type StatusLog } from '../report-port.js';
import type { Tenant } from '../tenant.js';
import type { UploadStore } from '../upload-port.js';
import { dailyReportIngest } from './ingest.js';

/**
 * Returns the options of an import that writes nothing. Lines are checked by the same code, with stores that only remember what was written
 * to them.
 */
export function dailyReportCheck(
  { markers: _, ...needs }: IngestNeeds,
  imported: ImportedReferences,
): ReturnType<typeof dailyReportIngest> {
  return dailyReportIngest({
    ...needs,
    references: imported.over(needs.references),
    entries: rememberingEntries(needs.entries),
    reports: rememberingReports(needs.reports),
    forms: rememberingForms(needs.forms),
    uploads: untouchedUploads(needs.uploads),
    weatherAgenda: { ...needs.weatherAgenda, hasten: () => Promise.resolve() },
    notifyOutbox: () => undefined,
  });
}

/** Wraps the entry store. Entries never change, so their ids and fingerprints are sufficient. */
function rememberingEntries(stored: EntryStore): EntryStore {
  const written = new Map<string, KnownEntry | null>();
  return {
    ...stored,
    async known(wanted) {
      return overlay(await stored.known(wanted), wanted, written);
    },
    async insert(tenant, writes) {
      const foreign = await stored.takenByOthers(
        tenant,
        writes.map(({ entry }) => entry.id),
      );
      return writes.map(({ entry, origin }) => {
        const { id, tagId, date } = entry;
        if (foreign.has(id)) return 'foreign';
        written.set(id, { id, institutionId: tenant.institutionId, tagId, date, ...origin });
        return 'inserted';
      });
    },
    remove(_tenant, id) {
      written.set(id, null);
      return Promise.resolve();
    },
    headsOf: () => Promise.resolve(new Map()),
    async *ofReports() {
      // Computed fields are not stored.
    },
    setSuperseded: () => Promise.resolve(),
  };
}

function rememberingReports(stored: ReportStore): ReportStore {
  const logs = new Map<string, StatusLog>();
  const recorded = new Map<string, RecordedChange | null>();
  const sizes = new Map<string, ReportSize>();
  const keyOf = ({ institutionId }: Tenant, report: ReportKey) => `${institutionId}/${reportId(report)}`;
  return {
    ...stored,
    mark(tenant, report, { sequences: entries, bytes }) {
      const key = keyOf(tenant, report);
      sizes.set(key, together(sizes.get(key) ?? NO_ENTRIES, { entries, bytes }));
      return Promise.resolve(0);
    },
    async standings(tenant, reports) {
      const found = new Map(await stored.standings(tenant, reports));
      for (const [id, report] of new Map(reports.map((one) => [reportId(one), one]))) {
        const more = sizes.get(keyOf(tenant, report));
        const standing = found.get(id) ?? NEW_REPORT;
        if (more !== undefined) found.set(id, { ...standing, size: together(standing.size, more) });
      }
      return found;
    },
    describe: () => Promise.resolve([]),
    logOf: async (tenant, report) => logs.get(keyOf(tenant, report)) ?? (await stored.logOf(tenant, report)),
    writeLog(tenant, { tagId, date }, { after, changes }) {
      logs.set(keyOf(tenant, { tagId, date }), { revision: after.revision + 1, changes });
      for (const { id } of after.changes) recorded.set(id, null);
      for (const change of changes) recorded.set(change.id, { ...tenant, tagId, date, change });
      return Promise.resolve(true);
    },
    async changes(wanted) {
      return overlay(await stored.changes(wanted), wanted, recorded);
    },
  };
}

/** Wraps the form store. The first day of a form is unique in its institution. */
function rememberingForms(stored: FormStore): FormStore {
  const written = new Map<string, StoredForm | null>();
  const list = async (tenant: Tenant) => {
    const forms = (await stored.list(tenant)).filter(({ id }) => id === null || !written.has(id));
    return [
      ...forms,
      ...[...written.values()].filter((form) => form?.institutionId === tenant.institutionId).filter((form) => form !== null),
    ];
  };
  const put = async (tenant: Tenant, form: FormWrite, revision: number) => {
    if ((await list(tenant)).some(({ id, validFrom }) => id !== form.id && validFrom === form.validFrom)) return 'taken';
    written.set(form.id, { ...form, revision });
    return 'written';
  };
  return {
    ...stored,
    list,
    async load(wanted) {
      return overlay(await stored.load(wanted), wanted, written);
    },
    insert: async (tenant, form) => ((await stored.isTakenByOthers(tenant, form.id)) ? 'foreign' : put(tenant, form, 1)),
    replace: (tenant, { before, after }) => put(tenant, after, before.revision + 1),
    remove(_tenant, { id }) {
      written.set(id, null);
      return Promise.resolve(true);
    },
  };
}

/** Wraps the upload store, so that no photo is copied. */
function untouchedUploads(stored: UploadStore): UploadStore {
  return { ...stored, keptOf: (_tenant, keys) => Promise.resolve(new Set(keys)), named: () => Promise.resolve() };
}

/** Returns the records under these ids after the remembered writes; null marks a deleted record. */
function overlay<T>(
  stored: ReadonlyMap<string, T>,
  wanted: readonly { readonly id: string }[],
  written: ReadonlyMap<string, T | null>,
): Map<string, T> {
  const found = new Map(stored);
  for (const { id } of wanted) {
    const one = written.get(id);
    if (one === null) found.delete(id);
    else if (one !== undefined) found.set(id, one);
  }
  return found;
}
