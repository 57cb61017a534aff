import type { CloudEvent } from '@stechuhr/contracts';
import { insertWithin, roomInOutbox, throwIfNoRoom } from '@stechuhr/mongo';
import DataLoader from 'dataloader';
import { trusted, type Model, type QueryFilter } from 'mongoose';
import { newId, type Clock } from '@stechuhr/kernel';
import { LONGEST_REST_MS } from '../domain/backoff.js';
import type { Webhook } from '../domain/webhook.js';
import type { NextDue, Tenant, WebhookLease, WebhookStore } from '../operations/ports.js';
import { NEVER } from './never.js';
import type { WebhookDocument } from './webhook-model.js';

const DELETED = { deleted_at: trusted({ $gt: new Date(0) }) };
/** What a deleted webhook does not keep. */
const EMPTY = { url: '', description: null, secret: '', previous_secret: null, previous_secret_until: null, older_secrets: [] };
/** How long the document of a deleted webhook is kept: longer than recording an event may take. */
const MARKER_MS = 3_600_000;
/** Excludes the outbox, which only the relay reads. */
const FIELDS = { outbox: 0 } as const;
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
  return {
    insertWithin: (max, webhook, event) => insertWebhook(model, { max, webhook, event }),
    async find(tenant, id) {
      const document = await model.findOne({ _id: id, ...present(tenant) }, FIELDS).lean();
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
        $set: { ...fields, ...(after.failingSince !== before.failingSince && { failing_since: failingSince }), ...NO_REST },
        $min: { due_at: new Date(clock.now()) },
        $inc: { version: 1 },
        $push: { outbox: event },
      };
      const key = { ...keyOf(before), version: before.version };
      return wasFound(model, key, await model.updateOne({ ...key, ...roomInOutbox }, change));
    },
    ...deletion(writing),
    async wake(webhook, dueAt = clock.now()) {
      return (await model.updateOne(keyOf(webhook), { $min: { due_at: new Date(dueAt) } })).matchedCount === 1;
    },
    async wakeAtOnce(webhook) {
      await model.updateOne(keyOf(webhook), { $min: { due_at: new Date(clock.now()) }, $set: NO_REST });
    },
    take: (limit) => take(writing, limit),
    renew: (lease) => renew(writing, lease),
    release: (lease, next) => release(writing, lease, next),
    async failed(webhook, now) {
      await model.updateOne({ ...keyOf(webhook), failing_since: null }, { $set: { failing_since: new Date(now) } });
    },
    async succeeded(webhook) {
      await model.updateOne({ ...keyOf(webhook), failing_since: trusted({ $ne: null }) }, { $set: { failing_since: null } });
    },
    oldestDue: () => oldestDue(model, clock.now()),
    overdue: (before, examples) => overdue(model, before, examples),
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

/** The webhooks of institutions, in the same order. Each event needs those of its own institution, and hundreds of events arrive at the same time. */
async function listsOf(model: Model<WebhookDocument>, institutionIds: readonly string[]): Promise<Webhook[][]> {
  const filter = { institution_id: trusted({ $in: [...new Set(institutionIds)] }), deleted_at: null };
  const found = (await model.find(filter, FIELDS).sort({ created_at: 1, _id: 1 }).lean()).map(toWebhook);
  const byInstitution = Map.groupBy(found, ({ institutionId }) => institutionId);
  return institutionIds.map((id) => byInstitution.get(id) ?? []);
}

async function oldestDue(model: Model<WebhookDocument>, now: number): Promise<number | undefined> {
  const filter = dueBy(new Date(now));
  const [oldest] = await model.find(filter, { due_at: 1, rests_until: 1 }).sort({ due_at: 1 }).limit(1).lean();
  const restedAt = oldest?.rests_until?.getTime() ?? 0;
  return oldest && Math.max(oldest.due_at.getTime(), restedAt <= now ? restedAt : 0);
}

async function overdue(model: Model<WebhookDocument>, before: number, examples: number): ReturnType<WebhookStore['overdue']> {
  const filter = dueBy(new Date(before));
  const count = await model.countDocuments(filter);
  const some = count === 0 ? [] : await model.find(filter, { _id: 1 }).sort({ due_at: 1 }).limit(examples).lean();
  return { count, ids: some.map(({ _id }) => _id) };
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

/** Webhooks that are due, do not pause, and are not taken or whose lease has expired. */
function dueBy(time: Date): QueryFilter<WebhookDocument> {
  return { deleted_at: null, due_at: trusted({ $lte: time }), lease_until: trusted({ $lte: time }), ...restedBy(time) };
}

/** A pause of more than twice the longest one was written by a process whose clock was ahead, and does not count. */
function restedBy(time: Date): QueryFilter<WebhookDocument> {
  return { rests_until: trusted({ $not: { $gt: time, $lte: new Date(time.getTime() + 2 * LONGEST_REST_MS) } }) };
}

/** Ends a pause. Not null, so that a lease that ends later begins no pause. */
const NO_REST = { rests_until: new Date(0) } as const;

async function take({ model, clock, leaseMs }: Writing, limit: number): Promise<WebhookLease[]> {
  const now = new Date(clock.now());
  const found = await model.find(dueBy(now), FIELDS).sort({ due_at: 1 }).limit(limit).lean();
  const leases = found.map(async (document): Promise<WebhookLease[]> => {
    const leaseId = newId();
    const until = new Date(now.getTime() + leaseMs);
    // If the process dies, the webhook is due when the lease has ended.
    const leaseFields = { lease_id: leaseId, lease_until: until, due_at: until, rests_until: null };
    const key = keyOf({ id: document._id, institutionId: document.institution_id });
    const free = { ...key, lease_until: trusted({ $lte: now }), ...restedBy(now) };
    const { matchedCount } = await model.updateOne(free, { $set: leaseFields });
    return matchedCount === 1 ? [{ webhook: toWebhook(document), leaseId, leaseMs, dueAt: until.getTime() }] : [];
  });
  return (await Promise.all(leases)).flat();
}

/**
 * Renews a lease. The due date moves with the end of the lease: a due date in the past would hide deliveries that become due until the lease
 * ends.
 */
async function renew({ model, clock, leaseMs }: Writing, lease: WebhookLease): Promise<WebhookLease | undefined> {
  const held = heldBy(lease, clock);
  const until = new Date(clock.now() + leaseMs);
  const { matchedCount } = await model.updateOne({ ...held, ...notWoken(lease) }, { $set: { lease_until: until, due_at: until } });
  if (matchedCount === 0 && (await model.updateOne(held, { $set: { lease_until: until } })).matchedCount === 0) return undefined;
  const document = await model.findOne(keyOf(lease.webhook), FIELDS).lean();
  return document === null ? undefined : { ...lease, webhook: toWebhook(document), dueAt: until.getTime() };
}

async function release({ model, clock }: Writing, lease: WebhookLease, { dueAt, restsUntil }: NextDue): Promise<void> {
  const free = { lease_id: null, lease_until: new Date(0) };
  const resting = { ...free, rests_until: new Date(restsUntil) };
  // Not before now: a webhook with a backlog has had its turn, and would be taken again before all others that wait.
  const next = dueAt === undefined ? NEVER : new Date(Math.max(dueAt, restsUntil, clock.now()));
  const held = { ...heldBy(lease, clock), ...notWoken(lease) };
  if ((await model.updateOne(held, { $set: { ...resting, due_at: next } })).matchedCount === 1) return;
  // Something became due meanwhile, or the lease has ended; in both cases, the webhook is due again after its pause.
  const key = { ...keyOf(lease.webhook), lease_id: lease.leaseId };
  if ((await model.updateOne({ ...key, rests_until: null }, { $set: resting })).matchedCount === 1) return;
  // An administrator has woken it, so it is due at once.
  await model.updateOne(key, { $set: free });
}

function heldBy({ webhook, leaseId }: WebhookLease, clock: Clock): QueryFilter<WebhookDocument> {
  return { ...keyOf(webhook), lease_id: leaseId, lease_until: trusted({ $gt: new Date(clock.now()) }) };
}

/** Matches a webhook that was not woken since the lease was taken or renewed. */
function notWoken({ dueAt }: WebhookLease): QueryFilter<WebhookDocument> {
  return { due_at: new Date(dueAt) };
}

function present({ institutionId }: Tenant): Pick<WebhookDocument, 'institution_id' | 'deleted_at'> {
  return { institution_id: institutionId, deleted_at: null };
}

function keyOf({
  id,
  institutionId,
}: Pick<Webhook, 'id' | 'institutionId'>): Pick<WebhookDocument, '_id' | 'institution_id' | 'deleted_at'> {
  return { _id: id, ...present({ institutionId }) };
}

type State = 'slot' | 'due_at' | 'lease_id' | 'lease_until' | 'rests_until' | 'deleted_at' | 'outbox';
type Fields = Omit<WebhookDocument, '_id' | 'institution_id' | State>;
type Stored = Fields & Pick<WebhookDocument, '_id' | 'institution_id'>;

function toFields(webhook: Webhook): Fields {
  const [previous, ...older] = webhook.previousSecrets;
  return {
    url: webhook.url,
    description: webhook.description,
    event_types: webhook.eventTypes,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    disabled_at: toDate(webhook.disabledAt),
    failing_since: toDate(webhook.failingSince),
    created_at: new Date(webhook.createdAt),
    modified_at: new Date(webhook.modifiedAt),
    secret: webhook.secret,
    previous_secret: previous?.secret ?? null,
    previous_secret_until: toDate(previous?.until ?? null),
    older_secrets: older.map(({ secret, until }) => ({ secret, until: new Date(until) })),
    version: webhook.version,
  };
}

function toWebhook(document: Stored): Webhook {
  const { previous_secret: secret, previous_secret_until: until, older_secrets: older = [] } = document;
  const previous = secret === null || until === null ? [] : [{ secret, until }, ...older];
  return {
    id: document._id,
    institutionId: document.institution_id,
    url: document.url,
    description: document.description,
    eventTypes: document.event_types,
    enabled: document.enabled,
    disabledReason: document.disabled_reason,
    disabledAt: document.disabled_at?.getTime() ?? null,
    failingSince: document.failing_since?.getTime() ?? null,
    createdAt: document.created_at.getTime(),
    modifiedAt: document.modified_at.getTime(),
    secret: document.secret,
    previousSecrets: previous.map((one) => ({ secret: one.secret, until: one.until.getTime() })),
    version: document.version,
  };
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
