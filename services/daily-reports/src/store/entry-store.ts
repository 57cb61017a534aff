import type { CloudEvent } from '@stechuhr/contracts';
import { PAGE_SIZE, pageRoom } from '@stechuhr/kernel';
import { isDuplicateKey, roomInOutbox, throwIfNoRoom } from '@stechuhr/mongo';
import { trusted, type Model, type QueryFilter, type SortOrder } from 'mongoose';
import { bytesOfTexts } from '../domain/entry-value.js';
import type { KnownFields } from '../domain/known-fields.js';
import { reportId, type ReportKey } from '../domain/report.js';
import type { EntryFilter, EntryPage, EntryStore, GroupHead, Inserted, StoredEntry } from '../operations/entry-port.js';
import type { Tenant } from '../operations/tenant.js';
import { groupKey, hashOfGroup, toDocument, toEntry, toKnown } from './entry-document.js';
import type { EntryDocument } from './entry-model.js';
import { daysWithin, documentId, toDate } from './keys.js';
import { removeAll } from './remove-all.js';

type Filter = QueryFilter<EntryDocument>;

/** Excludes the outbox from reads, because only the relay needs its events. */
const FIELDS = { outbox: 0 } as const;
/** The number of entries per batch: a usual page. With signatures MongoDB returns fewer, at most 16 MB. */
const BATCH = PAGE_SIZE.default;
/** The number of entries per batch without signatures. */
const MANY = 500;

/** Excludes removed entries, which have no project while their events are unpublished. */
function present(): Filter {
  return { tag_id: trusted({ $gt: '' }) };
}

/** The image of a signature is the largest part of a report. */
const WITHOUT_SIGNATURES = { ...FIELDS, 'value.image': 0 } as const;

export function createEntryStore(model: Model<EntryDocument>): EntryStore {
  return {
    async ofReport(tenant, report, { fieldIds } = {}) {
      const filter = {
        ...ownedBy(tenant),
        report: documentId(tenant, report),
        ...(fieldIds && { field_id: trusted({ $in: [...fieldIds] }) }),
      };
      return (await model.find(filter, FIELDS).sort({ sequence: 1 }).lean()).map(toEntry);
    },
    ofReports: (tenant, reports) => readReports(model, tenant, reports),
    headsOf: (tenant, groups) => readHeads(model, tenant, groups),
    async insert(tenant, writes) {
      const documents = writes.map((write) => toDocument(tenant, write));
      try {
        await model.insertMany(documents, { ordered: false, lean: true });
        return documents.map(() => 'inserted');
      } catch (caught) {
        if (!isDuplicateKey(caught)) throw caught;
        return outcomesOf(model, tenant, documents);
      }
    },
    async setSuperseded({ institutionId }, { superseded, current }) {
      const set = async (ids: readonly string[], value: boolean) => {
        if (ids.length > 0)
          await model.updateMany({ _id: trusted({ $in: [...ids] }), institution_id: institutionId }, { superseded: value });
      };
      await set(current, false);
      await set(superseded, true);
    },
    async known(wanted) {
      const fields = { institution_id: 1, tag_id: 1, date: 1, fingerprint: 1, live_sequence: 1 };
      const found = await model.find(named(wanted), fields).lean();
      return new Map(found.map((document) => [document._id, toKnown(document)]));
    },
    takenByOthers: (tenant, ids) => takenByOthers(model, tenant, ids),
    async find({ institutionId }, ids) {
      const found = await readPage(
        model
          .find({ _id: trusted({ $in: [...ids] }), institution_id: institutionId, ...present() }, FIELDS)
          .lean()
          .cursor({ batchSize: BATCH }),
      );
      return new Map(found.map((document) => [document._id, toEntry(document)]));
    },
    remove: (tenant, id, event) => remove(model, tenant, id, event),
    namesPhoto: (tenant, key) => namesPhoto(model, tenant, key),
    removeAll: (tenant, isGone) => removeAll(model, tenant, { isGone }),
    page: (tenant, page) => pageOf(model, tenant, page),
    async members(tenant, filter) {
      const found = await model.find(toFilter(tenant, filter), { group: 1, sequence: 1, tag_id: 1, date: 1 }).lean();
      return found.map(({ _id, group, sequence, tag_id, date }) => ({ id: _id, group: hashOfGroup(group), sequence, tagId: tag_id, date }));
    },
    countVersions: (tenant, groups, since) => countVersions(model, { ...ofGroups(tenant, groups), ...storedSince(since) }),
  };
}

async function pageOf(model: Model<EntryDocument>, tenant: Tenant, { filter, limit, offset, ...terms }: EntryPage) {
  const condition = { ...toFilter(tenant, filter), ...(terms.newestOnly && { superseded: false }) };
  const [count, found] = await Promise.all([
    model.countDocuments(condition),
    readPage(model.find(condition, FIELDS).sort(sortOf(terms)).skip(offset).limit(limit).lean().cursor({ batchSize: BATCH })),
  ]);
  return { count, results: found.map(toEntry) };
}

/** Reads the entries of a page, which is held in memory. @throws AppError `invalid` if it is too large */
async function readPage<E extends Pick<EntryDocument, 'value'>>(found: AsyncIterable<E>): Promise<E[]> {
  const entries: E[] = [];
  const take = pageRoom();
  for await (const entry of found) {
    take(bytesOfTexts(entry.value));
    entries.push(entry);
  }
  return entries;
}

/** Counts versions while reading them, because a group may have as many versions as a report has entries. */
async function countVersions(model: Model<EntryDocument>, filter: Filter): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const versions = model.find(filter, { _id: 0, group: 1 }).lean().cursor({ batchSize: MANY });
  for await (const { group } of versions) counts.set(hashOfGroup(group), (counts.get(hashOfGroup(group)) ?? 0) + 1);
  return counts;
}

/** Streams reports. Only one report is held in memory at a time. */
async function* readReports(
  model: Model<EntryDocument>,
  tenant: Tenant,
  reports: readonly ReportKey[],
): AsyncGenerator<readonly [string, readonly StoredEntry[]], void, undefined> {
  const filter = { ...ownedBy(tenant), report: trusted({ $in: reports.map((report) => documentId(tenant, report)) }) };
  const found = model.find(filter, WITHOUT_SIGNATURES).sort({ report: 1, sequence: 1 }).lean().cursor({ batchSize: MANY });
  let entries: StoredEntry[] = [];
  let current: string | undefined;
  for await (const document of found) {
    const { value, bytes = bytesOfTexts(value) } = document;
    const entry = { ...toEntry(document), isSuperseded: document.superseded, bytes };
    const id = reportId(entry);
    if (current !== undefined && id !== current) {
      yield [current, entries];
      entries = [];
    }
    current = id;
    entries.push(entry);
  }
  if (current !== undefined) yield [current, entries];
}

async function readHeads(model: Model<EntryDocument>, tenant: Tenant, groups: readonly string[]) {
  const heads = new Map<string, GroupHead>();
  for await (const document of model.find(ofGroups(tenant, groups), WITHOUT_SIGNATURES).lean().cursor({ batchSize: MANY })) {
    const hash = hashOfGroup(document.group);
    if (document.version > (heads.get(hash)?.version ?? 0)) heads.set(hash, { entry: toEntry(document), version: document.version });
  }
  return heads;
}

/** Returns the outcomes after a duplicate key. Sequences are unique, so an entry with the same id and sequence was stored by this call. */
async function outcomesOf(model: Model<EntryDocument>, tenant: Tenant, documents: readonly EntryDocument[]): Promise<Inserted[]> {
  const found = await model.find(named(documents.map(({ _id }) => ({ ...tenant, id: _id }))), { report: 1, sequence: 1 }).lean();
  const byId = new Map(found.map((document) => [document._id, document]));
  const missing = documents.flatMap(({ _id }) => (byId.has(_id) ? [] : [_id]));
  const foreign = missing.length === 0 ? new Set<string>() : await takenByOthers(model, tenant, missing);
  const open = documents.filter(({ _id }) => !byId.has(_id) && !foreign.has(_id));
  const revived = open.length === 0 ? new Set<string>() : await revive(model, tenant, open);
  return documents.map(({ _id, report, sequence }) => {
    const stored = byId.get(_id);
    if (revived.has(_id)) return 'inserted';
    if (stored === undefined) return foreign.has(_id) ? 'foreign' : 'taken';
    return stored.report === report && stored.sequence === sequence ? 'inserted' : 'known';
  });
}

/**
 * Stores entries whose id belongs to a removed entry with unpublished events. They replace the removed entry, and their events are appended
 * to its outbox.
 *
 * @returns the ids that were stored; for the others, the version was taken and not the id
 */
async function revive(model: Model<EntryDocument>, { institutionId }: Tenant, documents: readonly EntryDocument[]): Promise<Set<string>> {
  const removed = { institution_id: institutionId, deleted_at: trusted({ $ne: null }) };
  const ids = documents.map(({ _id }) => _id);
  const waiting = new Set((await model.find({ ...removed, _id: trusted({ $in: ids }) }, { _id: 1 }).lean()).map(({ _id }) => _id));
  const revived = new Set<string>();
  for (const { _id, outbox, ...fields } of documents.filter(({ _id: id }) => waiting.has(id))) {
    const change = { $set: fields, $unset: { deleted_at: 1 as const }, $push: { outbox: { $each: [...outbox] } } };
    try {
      const { matchedCount } = await model.updateOne({ ...removed, ...roomInOutbox, _id }, change);
      if (matchedCount === 1) revived.add(_id);
      else await throwIfNoRoom(model.collection, { _id, institution_id: institutionId });
    } catch (caught) {
      if (!isDuplicateKey(caught)) throw caught;
    }
  }
  return revived;
}

/** Called only after a duplicate key, because the query runs on all shards. */
async function takenByOthers(model: Model<EntryDocument>, { institutionId }: Tenant, ids: readonly string[]): Promise<Set<string>> {
  const filter = { _id: trusted({ $in: [...ids] }), institution_id: trusted({ $nin: [institutionId] }) };
  return new Set((await model.find(filter, { _id: 1 }).lean()).map(({ _id }) => _id));
}

function named(entries: readonly (Tenant & { readonly id: string })[]): Filter {
  const institutionIds = new Set(entries.map(({ institutionId }) => institutionId));
  return { _id: trusted({ $in: entries.map(({ id }) => id) }), institution_id: trusted({ $in: [...institutionIds] }), ...present() };
}

function ownedBy({ institutionId }: Tenant): Pick<EntryDocument, 'institution_id'> {
  return { institution_id: institutionId };
}

function ofGroups(tenant: Tenant, groups: readonly string[]): Filter {
  return { ...ownedBy(tenant), group: trusted({ $in: groups.map((hash) => groupKey(tenant, hash)) }) };
}

/** Hides an entry. The relay removes its document when its events are published. */
async function remove(model: Model<EntryDocument>, { institutionId }: Tenant, id: string, event: CloudEvent): Promise<void> {
  // The institution is kept, because it is part of the shard key.
  const hidden = { tag_id: 1, report: 1, group: 1, place: 1 } as const;
  const change = { $set: { deleted_at: new Date() }, $unset: hidden, $push: { outbox: event } };
  await model.updateOne({ _id: id, institution_id: institutionId, ...present() }, change);
}

async function namesPhoto(model: Model<EntryDocument>, { institutionId }: Tenant, key: string): Promise<boolean> {
  const naming = { institution_id: institutionId, $or: [{ 'value.imageKey': key }, { 'value.thumbKey': key }], ...present() };
  return (await model.findOne(naming, { _id: 1 }).lean()) !== null;
}

/** Returns the sort order. The sequences of a day are unique within a project. */
function sortOf({ ascending }: Pick<EntryPage, 'ascending'>): Record<string, SortOrder> {
  return { date: ascending ? 1 : -1, sequence: -1, tag_id: 1 };
}

function toFilter({ institutionId }: Tenant, { projectIds, range, known, fieldId, ids, modifiedSince }: EntryFilter): Filter {
  return {
    institution_id: institutionId,
    tag_id: trusted({ $in: [...projectIds] }),
    ...daysWithin(range),
    ...(fieldId !== undefined && { field_id: fieldId }),
    ...(ids && { _id: trusted({ $in: [...ids] }) }),
    ...storedSince(modifiedSince),
    ...fieldsWithin(known),
  };
}

function storedSince(since: EntryFilter['modifiedSince']): Filter {
  return since === undefined ? {} : { stored_at: trusted({ $gte: toDate(since) }) };
}

function fieldsWithin(known: readonly KnownFields[]): Filter {
  const conditions = known.map((days): Filter => ({
    ...daysWithin(days),
    field_key: trusted({ $in: days.fields.map(({ id, type }) => `${type}/${id}`) }),
  }));
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { $or: conditions };
}
