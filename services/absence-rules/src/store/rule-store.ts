import type { CloudEvent } from '@stechuhr/contracts';
import { trusted, type Model, type QueryFilter } from 'mongoose';
import type { Clock } from '@stechuhr/kernel';
import { findRaw, roomInOutbox, throwIfNoRoom } from '@stechuhr/mongo';
import type { OwnedPlace } from '../domain/list/owner-counts.js';
import type { Rule } from '../domain/rule.js';
import type { RuleStore, Tenant } from '../operations/ports.js';
import type { RuleDocument } from './rule-model.js';

/** Excludes the outbox from reads, because only the relay needs its events. */
const FIELDS = { outbox: 0 } as const;
/** Reads at most one event, which shows whether the outbox is empty. */
const SOME_EVENT = { institution_id: 1, outbox: { $slice: 1 } } as const;
const PLACE = { _id: 0, available_from: 1, priority: 1, employee_id: 1 } as const;
const ORDERED = { ...PLACE, _id: 1 } as const;

type StoredPlace = Pick<RuleDocument, 'available_from' | 'priority' | 'employee_id'>;

export function createRuleStore(model: Model<RuleDocument>, clock: Clock): RuleStore {
  const load = async (tenant: Tenant, filter: QueryFilter<RuleDocument>) => {
    const documents = await model.find({ ...present(tenant), ...filter }, FIELDS).lean();
    return documents.map(toRule);
  };
  const now = () => new Date(clock.now());
  const remove = async (filter: QueryFilter<RuleDocument>, event: CloudEvent) => {
    const { matchedCount } = await model.updateOne(filter, { $set: { deleted_at: now() }, $push: { outbox: event } });
    return matchedCount === 1;
  };
  return {
    async *places(tenant, from) {
      const filter = { ...present(tenant), ...(Number.isFinite(from) && { available_from: { $gte: from } }) };
      for await (const place of findRaw<StoredPlace>(model.collection, filter, { projection: PLACE })) {
        yield toPlace(place);
      }
    },
    async *availableIn(tenant, { first, last }) {
      const filter = { ...present(tenant), available_from: { $gte: first, $lte: last } };
      for await (const found of findRaw<StoredPlace & Pick<RuleDocument, '_id'>>(model.collection, filter, { projection: ORDERED }))
        yield { ...toPlace(found), id: found._id };
    },
    find: (tenant, ids) => load(tenant, { _id: trusted({ $in: [...ids] }) }),
    ofEmployees: (tenant, employeeIds) => load(tenant, { employee_id: trusted({ $in: [...employeeIds] }) }),
    count: async (tenant, limit, employeeId) =>
      model.countDocuments({ ...present(tenant), ...(employeeId !== undefined && { employee_id: employeeId }) }).limit(limit),
    async insert(tenant, rule, event) {
      await model.create({ _id: rule.id, ...present(tenant), ...toFields(rule), written_at: now(), outbox: [event] });
    },
    async replace(tenant, { rule, ofEmployee, unchangedSince }, event) {
      const change = { $set: { ...toFields(rule), written_at: now() }, $push: { outbox: event } };
      const filter = { _id: rule.id, ...present(tenant), ...(unchangedSince && toFields(unchangedSince)), employee_id: ofEmployee };
      const before = await model.findOneAndUpdate({ ...filter, ...roomInOutbox }, change, { projection: SOME_EVENT }).lean();
      if (before !== null) return { eventsWaited: before.outbox.length > 0 };
      await throwIfNoRoom(model.collection, filter);
      return undefined;
    },
    remove: (tenant, { id, employeeId }, event) => remove({ _id: id, ...present(tenant), employee_id: employeeId }, event),
    takeBack: (tenant, rule, event) => remove({ _id: rule.id, ...present(tenant), ...toFields(rule) }, event),
    removeUnchanged: (tenant, { id, employeeId, writtenAt }, event) =>
      remove({ _id: id, ...present(tenant), employee_id: employeeId, written_at: writtenAt }, event),
    async writtenFor(tenant, employeeId) {
      const found = await model.find({ ...present(tenant), employee_id: employeeId }, { written_at: 1 }).lean();
      return found.map(({ _id, written_at }) => ({ id: _id, employeeId, writtenAt: written_at }));
    },
  };
}

function toPlace({ available_from: availableFrom, priority, employee_id: employeeId }: StoredPlace): OwnedPlace {
  return { availableFrom, priority, employeeId };
}

function present({ institutionId }: Tenant): Pick<RuleDocument, 'institution_id' | 'deleted_at'> {
  return { institution_id: institutionId, deleted_at: null };
}

type RuleFields = Omit<RuleDocument, '_id' | 'institution_id' | 'written_at' | 'deleted_at' | 'outbox'>;

function toFields(rule: Rule): RuleFields {
  return {
    employee_id: rule.employeeId,
    label: rule.label,
    missing_type: rule.missingType,
    amount: rule.amount,
    priority: rule.priority,
    available_from: rule.availableFrom,
    expires_at: rule.expiresAt,
  };
}

function toRule(document: RuleFields & Pick<RuleDocument, '_id'>): Rule {
  return {
    id: document._id,
    employeeId: document.employee_id,
    label: document.label,
    missingType: document.missing_type,
    amount: document.amount,
    priority: document.priority,
    availableFrom: document.available_from,
    expiresAt: document.expires_at,
    source: 'manual',
  };
}
