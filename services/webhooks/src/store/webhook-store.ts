import type { CloudEvent } from '@stechuhr/contracts';
import { insertWithin, roomInOutbox, throwIfNoRoom } from '@stechuhr/mongo';
import DataLoader from 'dataloader';
import { trusted, type Model } from 'mongoose';
import type { Clock } from '@stechuhr/kernel';
import type { Webhook } from '../domain/webhook.js';
import type { WebhookStore } from '../operations/ports.js';
import { NEVER } from './never.js';
import { keyOf, present, toFields, toWebhook, WITHOUT_OUTBOX } from './webhook-document.js';
import { createLeaseStore, NO_REST } from './webhook-leases.js';
import type { WebhookDocument } from './webhook-model.js';

const DELETED = { deleted_at: trusted({ $gt: new Date(0) }) };
/** What a deleted webhook does not keep. */
const EMPTY = { url: '', description: null, secret: '', previous_secret: null, previous_secret_until: null, older_secrets: [] };
/** How long the document of a deleted webhook is kept: longer than recording an event may take. */
const MARKER_MS = 3_600_000;
/** During an import, events arrive a few at a time but thousands per second; separate lookups would cost more than handling the events. */
const GATHER_MS = 10;

interface Writing {
  readonly model: Model<WebhookDocument>;
  readonly clock: Clock;
  readonly leaseMs: number;
}

export function createWebhookStore(writing: Writing): WebhookStore {
  const { model, clock } = writing;
  const lists = new DataLoader((institutionIds: readonly string[]) => listsOf(model, institutionIds), {
    // Results are not cached, so that later calls see earlier writes.
    cache: false,
    batchScheduleFn: (load) => setTimeout(load, GATHER_MS),
  });
  const woken = new DataLoader((calls: readonly Waking[]) => wakeAll(model, calls), { cache: false });
  return {
    insertWithin: (max, webhook, event) => insertWebhook(model, { max, webhook, event }),
    async find(tenant, id) {
      const document = await model.findOne({ _id: id, ...present(tenant) }, WITHOUT_OUTBOX).lean();
      return document === null ? undefined : toWebhook(document);
    },
    async list({ institutionId }) {
      const [webhooks = []] = await listsOf(model, [institutionId]);
      return webhooks;
    },
    listForEvent: ({ institutionId }) => lists.load(institutionId),
    async announce(webhook, event) {
      const key = keyOf(webhook);
      return wasFound(model, key, await model.updateOne({ ...key, ...roomInOutbox }, { $push: { outbox: event } }));
    },
    async replace(before, after, event) {
      const { created_at: _, version: __, failing_since: failingSince, ...fields } = toFields(after);
      const change = {
        // The sender writes `failing_since` without a new version; what it has written since `before` was read is kept.
        $set: { ...fields, ...(after.failingSince !== before.failingSince && { failing_since: failingSince }), ...NO_REST, lost_leases: 0 },
        $min: { due_at: new Date(clock.now()) },
        $inc: { version: 1 },
        $push: { outbox: event },
      };
      const key = { ...keyOf(before), version: before.version };
      return wasFound(model, key, await model.updateOne({ ...key, ...roomInOutbox }, change));
    },
    ...deletion(writing),
    ...createLeaseStore(writing),
    wake: (webhook, dueAt = clock.now()) => woken.load({ webhook, dueAt }),
    async wakeAtOnce(webhook) {
      await model.updateOne(keyOf(webhook), { $min: { due_at: new Date(clock.now()) }, $set: NO_REST });
    },
    async failed(webhook, now) {
      await model.updateOne({ ...keyOf(webhook), failing_since: null }, { $set: { failing_since: new Date(now) } });
    },
    async succeeded(webhook) {
      await model.updateOne({ ...keyOf(webhook), failing_since: trusted({ $ne: null }) }, { $set: { failing_since: null } });
    },
  };
}

/**
 * The two steps of a deletion: what belongs to the webhook is removed between them, at once and again when the marker ends. A process that listed the
 * webhook before its deletion may have created a delivery after the first time, and may have been killed before it noticed that.
 */
function deletion({ model, clock }: Writing): Pick<WebhookStore, 'remove' | 'deleted' | 'drop'> {
  return {
    async remove(webhook, event) {
      const now = new Date(clock.now());
      const deleted = { deleted_at: now, marker_until: new Date(now.getTime() + MARKER_MS), due_at: now, ...EMPTY };
      const change = { $set: deleted, $unset: { slot: 1 }, $push: { outbox: event } };
      return (await model.updateOne(keyOf(webhook), change)).matchedCount === 1;
    },
    async deleted(limit) {
      const due = { ...DELETED, due_at: trusted({ $lte: new Date(clock.now()) }) };
      const found = await model.find(due, { institution_id: 1 }).sort({ due_at: 1 }).limit(limit).lean();
      return found.map(({ _id, institution_id: institutionId }) => ({ webhookId: _id, institutionId }));
    },
    async drop({ webhookId, institutionId }) {
      const now = clock.now();
      const key = { _id: webhookId, institution_id: institutionId, ...DELETED };
      const over = { marker_until: trusted({ $lte: new Date(now) }), outbox: trusted({ $size: 0 }) };
      if ((await model.deleteOne({ ...key, ...over })).deletedCount === 1) return;
      await model.updateOne(key, { $set: { due_at: new Date(now + MARKER_MS) } });
    },
  };
}

interface Waking {
  readonly webhook: Pick<Webhook, 'id' | 'institutionId'>;
  readonly dueAt: number;
}

/** Marks webhooks as due, each at the earliest time of its calls. @returns for each call whether its webhook still exists */
async function wakeAll(model: Model<WebhookDocument>, calls: readonly Waking[]): Promise<boolean[]> {
  const updates = [...Map.groupBy(calls, ({ webhook }) => webhook.id).values()].map((ofWebhook) => {
    const [{ webhook }] = ofWebhook as [Waking];
    const dueAt = Math.min(...ofWebhook.map((call) => call.dueAt));
    return { updateOne: { filter: keyOf(webhook), update: { $min: { due_at: new Date(dueAt) } } } };
  });
  const { matchedCount } = await model.bulkWrite(updates, { ordered: false });
  if (matchedCount === updates.length) return calls.map(() => true);
  const institutions = [...new Set(calls.map(({ webhook }) => webhook.institutionId))];
  const ids = updates.map(({ updateOne }) => updateOne.filter._id);
  const found = await model
    .find({ institution_id: trusted({ $in: institutions }), _id: trusted({ $in: ids }), deleted_at: null }, { _id: 1 })
    .lean();
  const there = new Set(found.map(({ _id }) => _id));
  return calls.map(({ webhook }) => there.has(webhook.id));
}

/** The webhooks of institutions, in the same order. Each event needs those of its own institution, and hundreds of events arrive at the same time. */
async function listsOf(model: Model<WebhookDocument>, institutionIds: readonly string[]): Promise<Webhook[][]> {
  const filter = { institution_id: trusted({ $in: [...new Set(institutionIds)] }), deleted_at: null };
  const found = (await model.find(filter, WITHOUT_OUTBOX).sort({ created_at: 1, _id: 1 }).lean()).map(toWebhook);
  const byInstitution = Map.groupBy(found, ({ institutionId }) => institutionId);
  return institutionIds.map((id) => byInstitution.get(id) ?? []);
}

interface Bounded {
  readonly max: number;
  readonly webhook: Webhook;
  readonly event: CloudEvent;
}

function insertWebhook(model: Model<WebhookDocument>, { max, webhook, event }: Bounded): Promise<boolean> {
  const idle = { due_at: NEVER, lease_until: new Date(0) };
  const document = { _id: webhook.id, institution_id: webhook.institutionId, ...toFields(webhook), ...idle, outbox: [event] };
  return insertWithin(max, {
    takenSlots: async () => (await model.find(present(webhook), { slot: 1 }).lean()).map(({ slot }) => slot),
    insert: (slot) => model.create({ ...document, slot }),
  });
}

/**
 * Whether a change that adds an event found its webhook.
 * @throws AppError `unavailable` if too many of its events are unpublished
 */
async function wasFound(model: Model<WebhookDocument>, key: object, { matchedCount }: { readonly matchedCount: number }): Promise<boolean> {
  if (matchedCount === 0) await throwIfNoRoom(model.collection, key);
  return matchedCount === 1;
}
