import { pageRoom, type Page } from '@stechuhr/kernel';
import { isDuplicateKey, roomInOutbox, throwIfNoRoom } from '@stechuhr/mongo';
import { trusted, type Model, type SortOrder } from 'mongoose';
import { bytesOfDescription } from '../domain/description.js';
import { reportId, type ReportKey } from '../domain/report.js';
import type { ReportSize } from '../domain/report-size.js';
import { statusOf } from '../domain/status.js';
import type {
  DescriptionWrite,
  LogWrite,
  Marking,
  RecordedChange,
  ReportPage,
  ReportStore,
  SizedReport,
  Standing,
  StoredReport,
} from '../operations/report-port.js';
import type { Tenant } from '../operations/tenant.js';
import { daysWithin, documentId, toDate } from './keys.js';
import { removeAll } from './remove-all.js';
import { fresh, toChange, toLogged, toMark, toMarked, toReport } from './report-document.js';
import type { ReportDocument } from './report-model.js';

/** The fields of lists. */
const FIELDS = { tag_id: 1, date: 1, status: 1, form_fingerprint: 1, description: 1 } as const;
/** Without the reasons of the log, which may be long. */
const STANDING = { tag_id: 1, date: 1, status: 1, 'log.live_sequence': 1, log_revision: 1, size: 1, next_sequence: 1 } as const;
const SLICE = 200;
/** The number of reports per batch of a page. */
const BATCH = 200;
/** The number of logs per batch. */
const LOGS = 10;

type Reports = Model<ReportDocument>;

export function createReportStore(model: Reports): ReportStore {
  return {
    async statusOf(tenant, report) {
      const found = await model.findOne(keyed(tenant, report), { status: 1 }).lean();
      return found?.status ?? 'draft';
    },
    async load(tenant, reports) {
      const found = await model.find(ofReports(tenant, reports), { tag_id: 1, date: 1, revision: 1, marks: 1 }).lean();
      return new Map(found.map(toMarked).map((report) => [reportId(report), report]));
    },
    standings: (tenant, reports) => readStandings(model, tenant, reports),
    mark: (tenant, report, marking) => mark(model, tenant, { report, ...marking }),
    async leftBehind(before, { after, upTo, limit }) {
      // Covers all institutions; the index contains only reports with marks.
      const marks = trusted({ $elemMatch: { institution_id: { $gt: '' }, at: { $lt: toDate(before) } } });
      const filter = { marks, _id: trusted({ $gt: after, ...(upTo !== undefined && { $lte: upTo }) }) };
      const found = await model.find(filter, { institution_id: 1, tag_id: 1, date: 1 }).sort({ _id: 1 }).limit(limit).lean();
      return found.map(({ _id: key, institution_id: institutionId, tag_id: tagId, date }) => ({ key, institutionId, tagId, date }));
    },
    async marked({ institutionId }) {
      const filter = { institution_id: institutionId, 'marks.institution_id': institutionId };
      const found = await model.find(filter, { tag_id: 1, date: 1 }).lean();
      return found.map(({ tag_id: tagId, date }) => ({ tagId, date }));
    },
    describe: (tenant, writes) => describe(model, tenant, writes),
    async page(tenant, { limit, offset, ...page }) {
      const filter = listed(tenant, page);
      const [count, found] = await Promise.all([
        model.countDocuments(filter),
        readPage(model.find(filter, FIELDS).sort(sortOf(page)).skip(offset).limit(limit).lean().cursor({ batchSize: BATCH })),
      ]);
      return { count, results: found };
    },
    sizes: (tenant, page) => readSizes(model, tenant, page),
    all: (tenant) => readAll(model, tenant),
    removeAll: (tenant, isGone) => removeAll(model, tenant, { isGone, revisions: ['revision', 'log_revision'] }),
    async logOf(tenant, report) {
      const found = await model.findOne(keyed(tenant, report), { log: 1, log_revision: 1 }).lean();
      return { revision: found?.log_revision ?? 0, changes: found?.log.map(toChange) ?? [] };
    },
    writeLog: (tenant, report, write) => writeLog(model, tenant, { report, write }),
    changes: (wanted) => readChanges(model, wanted),
  };
}

type StandingDocument = Pick<ReportDocument, 'tag_id' | 'date' | 'status' | 'log_revision' | 'size' | 'next_sequence'> & {
  readonly log: readonly Pick<ReportDocument['log'][number], 'live_sequence'>[];
};

async function readStandings(model: Reports, tenant: Tenant, reports: readonly ReportKey[]): Promise<Map<string, Standing>> {
  const found = await model.find(ofReports(tenant, reports), STANDING).lean<StandingDocument[]>();
  return new Map(
    found.map(({ tag_id: tagId, date, status, log, log_revision: logRevision, size, next_sequence: nextSequence }) => {
      const statusSequence = log.at(-1)?.live_sequence ?? undefined;
      return [reportId({ tagId, date }), { status, statusSequence, logRevision, size: toSize(size), nextSequence }];
    }),
  );
}

async function readSizes(model: Reports, tenant: Tenant, { limit, offset, ...page }: ReportPage): Promise<Page<SizedReport>> {
  const filter = listed(tenant, page);
  const [count, found] = await Promise.all([
    model.countDocuments(filter),
    model.find(filter, { tag_id: 1, date: 1, size: 1 }).sort(sortOf(page)).skip(offset).limit(limit).lean(),
  ]);
  return { count, results: found.map(({ tag_id: tagId, date, size }) => ({ tagId, date, size: toSize(size) })) };
}

function toSize(size: ReportDocument['size']): ReportSize {
  return { entries: size?.entries ?? 0, bytes: size?.bytes ?? 0 };
}

function listed({ institutionId }: Tenant, { projectIds, range, statuses }: Omit<ReportPage, 'limit' | 'offset'>) {
  return {
    institution_id: institutionId,
    tag_id: trusted({ $in: [...projectIds] }),
    ...daysWithin(range),
    has_entries: true,
    ...(statuses.length > 0 && { status: trusted({ $in: [...statuses] }) }),
  };
}

/** Reads the reports of a page, which is held in memory. @throws AppError `invalid` if it is too large */
async function readPage(found: AsyncIterable<Parameters<typeof toReport>[0]>): Promise<StoredReport[]> {
  const reports: StoredReport[] = [];
  const take = pageRoom();
  for await (const document of found) {
    const report = toReport(document);
    take(bytesOfDescription(report.description));
    reports.push(report);
  }
  return reports;
}

async function mark(model: Reports, tenant: Tenant, marking: Marking & { readonly report: ReportKey }): Promise<number | undefined> {
  const { report, sequences, bytes, logRevision } = marking;
  // The event of an autofill is left when the report is described: too late to refuse it.
  const room = marking.mark.autofilled.length > 0 ? roomInOutbox : {};
  const change = {
    $inc: { next_sequence: sequences, revision: 1, 'size.entries': sequences, 'size.bytes': bytes },
    $push: { marks: toMark(tenant, marking.mark) },
    $setOnInsert: fresh(tenant, report),
  };
  const filter = { ...keyed(tenant, report), ...(logRevision !== undefined && { log_revision: logRevision }), ...room };
  const terms = { upsert: (logRevision ?? 0) === 0, returnDocument: 'after', projection: { next_sequence: 1 } } as const;
  const marked = await orDuplicate(() => model.findOneAndUpdate(filter, change, terms).lean());
  if (marked !== 'duplicate' && marked !== null) return marked.next_sequence - sequences;
  if (marking.mark.autofilled.length > 0) await throwIfNoRoom(model.collection, keyed(tenant, report));
  // Another writer has created the document at the same time, so it exists now. Otherwise the revision has changed.
  return logRevision === undefined ? mark(model, tenant, marking) : undefined;
}

/**
 * Stores descriptions. If one write lost the compare-and-set, all reports are returned without determining which one, because computing a
 * description again is harmless.
 */
async function describe(model: Reports, tenant: Tenant, writes: readonly DescriptionWrite[]): Promise<string[]> {
  if (writes.length === 0) return [];
  const result = await model.bulkWrite(
    writes.map(({ revision, formFingerprint, description, size, settled, events, ...report }) => ({
      updateOne: {
        filter: { ...keyed(tenant, report), revision },
        update: {
          $set: { form_fingerprint: formFingerprint, description, has_entries: description.hasEntries, ...(size && { size }) },
          $inc: { revision: 1 },
          ...(settled.length > 0 && { $pull: { marks: { id: trusted({ $in: [...settled] }) } } }),
          ...(events.length > 0 && { $push: { outbox: { $each: [...events] } } }),
        },
      },
    })),
    { ordered: false },
  );
  return result.matchedCount === writes.length ? [] : writes.map(reportId);
}

async function writeLog(model: Reports, tenant: Tenant, { report, write }: { readonly report: ReportKey; readonly write: LogWrite }) {
  const { after, changes, event } = write;
  const written = await orDuplicate(() =>
    model.updateOne(
      { ...keyed(tenant, report), log_revision: after.revision, ...(event && roomInOutbox) },
      {
        $set: { log: changes.map(toLogged), status: statusOf(changes), log_revision: after.revision + 1 },
        ...(event && { $push: { outbox: event } }),
        $setOnInsert: { ...withoutLog(fresh(tenant, report)), next_sequence: 0, revision: 0, marks: [], ...(!event && { outbox: [] }) },
      },
      // Upserts only if the document may not exist yet.
      { upsert: after.revision === 0 },
    ),
  );
  if (written !== 'duplicate' && (written.matchedCount === 1 || written.upsertedCount === 1)) return true;
  if (event) await throwIfNoRoom(model.collection, keyed(tenant, report));
  return false;
}

function withoutLog({ institution_id, tag_id, date, has_entries, form_fingerprint, description }: ReturnType<typeof fresh>) {
  return { institution_id, tag_id, date, has_entries, form_fingerprint, description };
}

function keyed(tenant: Tenant, report: ReportKey): Pick<ReportDocument, '_id' | 'institution_id'> {
  return { _id: documentId(tenant, report), institution_id: tenant.institutionId };
}

function ofReports(tenant: Tenant, reports: readonly ReportKey[]) {
  return { _id: trusted({ $in: reports.map((report) => documentId(tenant, report)) }), institution_id: tenant.institutionId };
}

/** Reads the logs of the changes a few at a time, because a log may have more than a megabyte, and keeps only these changes. */
async function readChanges(model: Reports, wanted: readonly (Tenant & { readonly id: string })[]): Promise<Map<string, RecordedChange>> {
  const ids = new Set(wanted.map(({ id }) => id));
  const institutionIds = new Set(wanted.map(({ institutionId }) => institutionId));
  const filter = { institution_id: trusted({ $in: [...institutionIds] }), 'log.id': trusted({ $in: [...ids] }) };
  const found = model.find(filter, { institution_id: 1, tag_id: 1, date: 1, log: 1 }).lean().cursor({ batchSize: LOGS });
  const recorded = new Map<string, RecordedChange>();
  for await (const { institution_id: institutionId, tag_id: tagId, date, log } of found) {
    for (const logged of log) if (ids.has(logged.id)) recorded.set(logged.id, { institutionId, tagId, date, change: toChange(logged) });
  }
  return recorded;
}

async function* readAll(model: Reports, tenant: Tenant): AsyncGenerator<ReportKey[], void, undefined> {
  let last = '';
  for (;;) {
    const filter = { institution_id: tenant.institutionId, _id: trusted({ $gt: last }) };
    const found = await model.find(filter, { tag_id: 1, date: 1 }).sort({ _id: 1 }).limit(SLICE).lean();
    if (found.length === 0) return;
    yield found.map(({ tag_id: tagId, date }) => ({ tagId, date }));
    last = found.at(-1)?._id ?? '';
  }
}

async function orDuplicate<T>(write: () => Promise<T>): Promise<T | 'duplicate'> {
  try {
    return await write();
  } catch (caught) {
    if (isDuplicateKey(caught)) return 'duplicate';
    throw caught;
  }
}

function sortOf({ ascending }: Pick<ReportPage, 'ascending'>): Record<string, SortOrder> {
  return { date: ascending ? 1 : -1, tag_id: 1 };
}
