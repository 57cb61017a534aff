import { failedWritesOf } from '@stechuhr/mongo';
import DataLoader from 'dataloader';
import { trusted, type Model, type QueryFilter } from 'mongoose';
import { AppError, type Clock } from '@stechuhr/kernel';
import { replayed, type Delivery, type DeliveryChange } from '../domain/delivery.js';
import type { DeliveryPage, DeliveryStore, ListedDelivery, Replay, Replayed, WebhookKey } from '../operations/ports.js';
import type { DeliveryDocument } from './delivery-model.js';
import { NEVER } from './never.js';

/** The number of deliveries that one write makes due. */
const REPLAY_SLICE = 1_000;
/** The number of deliveries that one write creates: of 25 events if an institution has ten webhooks. */
const CREATED_SLICE = 250;
/** The number of deliveries that one write deletes. */
const REMOVED_SLICE = 5_000;

export function createDeliveryStore(model: Model<DeliveryDocument>, clock: Clock): DeliveryStore {
  // An event has a delivery for each webhook, and thousands of events arrive in a second: as single writes, those of one institution would take all
  // of the database.
  const created = new DataLoader((deliveries: readonly Delivery[]) => insertAll(model, deliveries), {
    cache: false,
    maxBatchSize: CREATED_SLICE,
  });
  return {
    insert: (delivery) => created.load(delivery),
    async find(key, eventId) {
      const found = await model.findOne({ _id: idOf(key, eventId), ...ofWebhook(key) }).lean();
      return found === null ? undefined : toDelivery(found);
    },
    async list(key, page) {
      const filter = listed(key, page);
      const order = { created_at: page.oldestFirst ? 1 : -1, _id: 1 } as const;
      const [count, found] = await Promise.all([
        model.countDocuments(filter),
        model.find(filter, { body: 0 }).sort(order).skip(page.offset).limit(page.limit).lean(),
      ]);
      return { count, results: found.map(toListed) };
    },
    async due(key, limit) {
      const filter = { ...ofWebhook(key), due_at: trusted({ $lte: new Date(clock.now()) }) };
      return (await model.find(filter).sort({ due_at: 1 }).limit(limit).lean()).map(toDelivery);
    },
    async nextDue(key) {
      const filter = { ...ofWebhook(key), due_at: trusted({ $lt: NEVER }) };
      const [next] = await model.find(filter, { due_at: 1 }).sort({ due_at: 1 }).limit(1).lean();
      return next?.due_at.getTime();
    },
    async save(before, change) {
      const key = { _id: idOf(before, before.eventId), ...ofWebhook(before), version: before.version };
      const { matchedCount } = await model.updateOne(key, { $set: toFields(change), $inc: { version: 1 } });
      return matchedCount === 1;
    },
    replay: (key, wanted) => replay(model, clock, { key, wanted }),
    async remove(key, eventId) {
      await model.deleteOne({ _id: idOf(key, eventId), ...ofWebhook(key) });
    },
    removeSome: (key) => removeSome(model, ofWebhook(key)),
    async trim(key, max) {
      for (const state of ['pending', 'dead', 'delivered'] as const) await trim(model, { ...ofWebhook(key), state }, max[state]);
    },
    async removeBefore(createdAt) {
      await model.deleteMany({ created_at: trusted({ $lt: new Date(createdAt) }) });
    },
  };
}

/** Stores deliveries, except those that exist already. @returns for each whether it is new, or an error */
async function insertAll(model: Model<DeliveryDocument>, deliveries: readonly Delivery[]): Promise<(boolean | Error)[]> {
  try {
    await model.insertMany(deliveries.map(toDocument), { ordered: false, lean: true });
    return deliveries.map(() => true);
  } catch (caught) {
    const failed = new Map(failedWritesOf(caught).map(({ index, isDuplicateKey }) => [index, isDuplicateKey]));
    const error = AppError.from(caught);
    return deliveries.map((_, index) => (failed.get(index) === false ? error : !failed.has(index)));
  }
}

/** Deletes the oldest deliveries, so that about `max` are left. */
async function trim(model: Model<DeliveryDocument>, filter: Tenancy & QueryFilter<DeliveryDocument>, max: number): Promise<void> {
  const [last] = await model.find(filter, { _id: 0, created_at: 1 }).sort({ created_at: -1, _id: -1 }).skip(max).limit(1).lean();
  if (last === undefined) return;
  while (await removeSome(model, { ...filter, created_at: trusted({ $lte: last.created_at }) }));
}

/** Deletes some deliveries of a webhook. @returns false if there are none */
async function removeSome(model: Model<DeliveryDocument>, filter: Tenancy & QueryFilter<DeliveryDocument>): Promise<boolean> {
  const found = await model.find(filter, { _id: 1 }).limit(REMOVED_SLICE).lean();
  if (found.length === 0) return false;
  await model.deleteMany({ institution_id: filter.institution_id, _id: trusted({ $in: found.map(({ _id }) => _id) }) });
  return true;
}

interface ReplayOf {
  readonly key: WebhookKey;
  readonly wanted: Replay;
}

/** Makes deliveries due again. Those that a concurrent call has made due are skipped and not counted twice. */
async function replay(model: Model<DeliveryDocument>, clock: Clock, { key, wanted }: ReplayOf): Promise<Replayed> {
  const { since, states, after, limit } = wanted;
  const state = trusted({ $in: [...states] });
  const from = new Date(Math.max(since, after?.createdAt ?? since));
  const place = after && { created_at: new Date(after.createdAt), _id: idOf(key, after.eventId) };
  const filter = {
    ...ofWebhook(key),
    state,
    created_at: trusted({ $gte: from }),
    ...(place && {
      $or: [{ created_at: trusted({ $gt: place.created_at }) }, { created_at: place.created_at, _id: trusted({ $gt: place._id }) }],
    }),
  };
  // A covered query: the index contains all fields, so no delivery is read.
  const found = await model
    .find(filter, { _id: 1 })
    .sort({ created_at: 1, _id: 1 })
    .limit(limit + 1)
    .lean();
  const taken = found.slice(0, limit).map(({ _id }) => _id);
  let count = 0;
  for (let at = 0; at < taken.length; at += REPLAY_SLICE) {
    const slice = { ...ofWebhook(key), _id: trusted({ $in: taken.slice(at, at + REPLAY_SLICE) }), state };
    const { modifiedCount } = await model.updateMany(slice, { $set: toFields(replayed(clock.now())), $inc: { version: 1 } });
    count += modifiedCount;
  }
  const last = taken.at(-1);
  return { count, next: found.length > limit && last !== undefined ? eventOf(key, last) : undefined };
}

type Tenancy = Pick<DeliveryDocument, 'institution_id'>;

function ofWebhook({ institutionId, webhookId }: WebhookKey): Tenancy & Pick<DeliveryDocument, 'webhook_id'> {
  return { institution_id: institutionId, webhook_id: webhookId };
}

function idOf({ webhookId }: WebhookKey, eventId: string): string {
  return `${webhookId}:${eventId}`;
}

function eventOf({ webhookId }: WebhookKey, id: string): string {
  return id.slice(webhookId.length + 1);
}

function listed(key: WebhookKey, { states }: DeliveryPage): QueryFilter<DeliveryDocument> {
  return { ...ofWebhook(key), ...(states && { state: trusted({ $in: [...states] }) }) };
}

type ChangingFields = Partial<
  Omit<DeliveryDocument, '_id' | 'institution_id' | 'webhook_id' | 'event_id' | 'event_type' | 'body' | 'traceparent' | 'version'>
>;

/** Returns the document fields of a change. */
function toFields(change: DeliveryChange): ChangingFields {
  return {
    ...(change.state !== undefined && { state: change.state }),
    ...(change.attempts !== undefined && { attempts: change.attempts }),
    ...(change.dueAt !== undefined && { due_at: toDate(change.dueAt) ?? NEVER }),
    ...(change.lastAttemptAt !== undefined && { last_attempt_at: toDate(change.lastAttemptAt) }),
    ...(change.lastStatus !== undefined && { last_status: change.lastStatus }),
    ...(change.lastProblem !== undefined && { last_problem: change.lastProblem }),
    ...(change.deliveredAt !== undefined && { delivered_at: toDate(change.deliveredAt) }),
  };
}

function toDocument(delivery: Delivery): DeliveryDocument {
  return {
    _id: idOf(delivery, delivery.eventId),
    ...ofWebhook(delivery),
    event_id: delivery.eventId,
    event_type: delivery.type,
    body: delivery.body,
    state: delivery.state,
    attempts: delivery.attempts,
    created_at: new Date(delivery.createdAt),
    traceparent: delivery.traceparent ?? null,
    due_at: toDate(delivery.dueAt) ?? NEVER,
    last_attempt_at: toDate(delivery.lastAttemptAt),
    last_status: delivery.lastStatus,
    last_problem: delivery.lastProblem,
    delivered_at: toDate(delivery.deliveredAt),
    version: delivery.version,
  };
}

function toDelivery(document: DeliveryDocument): Delivery {
  return { ...toListed(document), body: document.body };
}

function toListed(document: Omit<DeliveryDocument, 'body'>): ListedDelivery {
  const dueAt = document.due_at.getTime();
  return {
    eventId: document.event_id,
    webhookId: document.webhook_id,
    institutionId: document.institution_id,
    type: document.event_type,
    state: document.state,
    attempts: document.attempts,
    createdAt: document.created_at.getTime(),
    traceparent: document.traceparent ?? undefined,
    dueAt: dueAt === NEVER.getTime() ? null : dueAt,
    lastAttemptAt: document.last_attempt_at?.getTime() ?? null,
    lastStatus: document.last_status,
    lastProblem: document.last_problem,
    deliveredAt: document.delivered_at?.getTime() ?? null,
    version: document.version,
  };
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
