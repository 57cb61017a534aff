import type { CloudEvent } from '@stechuhr/contracts';
import { isDuplicateKey, roomInOutbox, throwIfNoRoom } from '@stechuhr/mongo';
import { trusted, type Model, type QueryFilter, type SortOrder } from 'mongoose';
import type { Clock } from '@stechuhr/kernel';
import type { Suppression } from '../domain/suppression.js';
import type { SuppressionFilter, SuppressionPage, SuppressionStore, Tenant } from '../operations/ports.js';
import type { SuppressionDocument } from './suppression-model.js';

/** Excludes the outbox from reads, because only the relay needs its events. */
const FIELDS = { outbox: 0 } as const;
/** Later than any valid date. */
const FOR_EVER = 2_147_483_647;

type Filter = QueryFilter<SuppressionDocument>;
type Combination = Pick<Suppression, 'code' | 'employeeId' | 'validFrom'>;

export function createSuppressionStore(model: Model<SuppressionDocument>, clock: Clock): SuppressionStore {
  const findOne = async (tenant: Tenant, filter: Filter) => {
    const found = await model.findOne({ ...present(tenant), ...filter }, FIELDS).lean();
    return found === null ? undefined : toSuppression(found);
  };
  const findAll = async (tenant: Tenant, filter: Filter) =>
    (await model.find({ ...present(tenant), ...filter }, FIELDS).lean()).map(toSuppression);
  const remove = async (filter: Filter, event: CloudEvent) => {
    const change = { $set: { deleted_at: new Date(clock.now()) }, $unset: { key: 1 as const }, $push: { outbox: event } };
    const { matchedCount } = await model.updateOne(filter, change);
    return matchedCount === 1;
  };
  return {
    insert: (tenant, suppression, event) =>
      orDuplicate(async () => {
        await model.create({ _id: suppression.id, ...present(tenant), ...toFields(tenant, suppression), outbox: [event] });
        return true;
      }, false),
    find: (tenant, id) => findOne(tenant, { _id: id }),
    findLike: (tenant, like) => findOne(tenant, { key: keyOf(tenant, like) }),
    async list(tenant, page) {
      const filter = { ...present(tenant), ...toFilter(page.filter) };
      const [count, found] = await Promise.all([
        model.countDocuments(filter),
        model.find(filter, FIELDS).sort(sortOf(page)).skip(page.offset).limit(page.limit).lean(),
      ]);
      return { count, results: found.map(toSuppression) };
    },
    // Async, because a mongoose query is not a promise: it would run again each time it is awaited.
    count: async (tenant, limit) => model.countDocuments(present(tenant)).limit(limit),
    replace: (tenant, { before, after }, event) =>
      orDuplicate(async () => {
        const { created_at: _, ...fields } = toFields(tenant, after);
        const change = { $set: fields, $push: { outbox: event } };
        const filter = { _id: after.id, ...present(tenant) };
        const { matchedCount } = await model.updateOne({ ...filter, ...unchanged(before), ...roomInOutbox }, change);
        if (matchedCount === 0) await throwIfNoRoom(model.collection, filter);
        return matchedCount === 1 ? 'replaced' : 'stale';
      }, 'taken'),
    remove: (tenant, id, event) => remove({ _id: id, ...present(tenant) }, event),
    removeUnchanged: (tenant, rule, event) =>
      remove({ _id: rule.id, ...present(tenant), ...unchanged(rule), modified_at: new Date(rule.modifiedAt) }, event),
    ofEmployee: (tenant, employeeId) => findAll(tenant, { employee_id: employeeId }),
    ofInstitution: (tenant) => findAll(tenant, {}),
  };
}

async function orDuplicate<T>(write: () => Promise<T>, outcome: T): Promise<T> {
  try {
    return await write();
  } catch (caught) {
    if (isDuplicateKey(caught)) return outcome;
    throw caught;
  }
}

function present({ institutionId }: Tenant): Pick<SuppressionDocument, 'institution_id' | 'deleted_at'> {
  return { institution_id: institutionId, deleted_at: null };
}

/** Matches a rule that still has the values with which a change was validated. */
function unchanged({ code, employeeId, validFrom, validTo }: Suppression): Filter {
  return { code, employee_id: employeeId, valid_from: validFrom, valid_to: validTo ?? FOR_EVER };
}

function toFilter({ ids, employeeIds, validFromUntil, validToFrom, modifiedSince }: SuppressionFilter): Filter {
  return {
    ...(ids && { _id: trusted({ $in: [...ids] }) }),
    ...(employeeIds && { employee_id: trusted({ $in: [...employeeIds] }) }),
    ...(validFromUntil !== undefined && { valid_from: trusted({ $lte: validFromUntil }) }),
    ...(validToFrom !== undefined && { valid_to: trusted({ $gte: validToFrom }) }),
    ...(modifiedSince !== undefined && { modified_at: trusted({ $gte: new Date(modifiedSince * 1000) }) }),
  };
}

function sortOf({ order }: SuppressionPage): Record<string, SortOrder> {
  return Object.fromEntries([...order.map(({ field, descending }) => [field, descending ? -1 : 1]), ['_id', 1]]) as Record<
    string,
    SortOrder
  >;
}

function keyOf({ institutionId }: Tenant, { code, employeeId, validFrom }: Combination): string {
  return [institutionId, code, employeeId ?? 'all', validFrom].join('/');
}

function toFields(tenant: Tenant, rule: Suppression): Omit<SuppressionDocument, '_id' | 'institution_id' | 'deleted_at' | 'outbox'> {
  return {
    key: keyOf(tenant, rule),
    code: rule.code,
    employee_id: rule.employeeId,
    valid_from: rule.validFrom,
    valid_to: rule.validTo ?? FOR_EVER,
    created_at: new Date(rule.createdAt),
    modified_at: new Date(rule.modifiedAt),
  };
}

type Stored = Omit<SuppressionDocument, 'outbox' | 'key' | 'deleted_at'>;

function toSuppression(document: Stored): Suppression {
  return {
    id: document._id,
    code: document.code,
    employeeId: document.employee_id,
    validFrom: document.valid_from,
    validTo: document.valid_to === FOR_EVER ? null : document.valid_to,
    createdAt: document.created_at.getTime(),
    modifiedAt: document.modified_at.getTime(),
  };
}
