import { newId, type Clock } from '@stechuhr/kernel';
import { trusted, type Model, type QueryFilter } from 'mongoose';
import { LONGEST_REST_MS, restAfterLostLeases } from '../domain/backoff.js';
import type { NextDue, WebhookLease, WebhookStore } from '../operations/ports.js';
import { NEVER } from './never.js';
import { keyOf, toWebhook, WITHOUT_OUTBOX } from './webhook-document.js';
import type { WebhookDocument } from './webhook-model.js';

interface Leasing {
  readonly model: Model<WebhookDocument>;
  readonly clock: Clock;
  readonly leaseMs: number;
}

type LeaseStore = Pick<WebhookStore, 'take' | 'renew' | 'release' | 'oldestDue' | 'overdue'>;

/**
 * Gives webhooks that are due to processes, one process at a time (docs/adr/0031-webhooks-are-a-service-of-their-own.md). `due_at` is when a
 * webhook is due; while a process holds it, this is the end of its lease, unless something became due meanwhile.
 */
export function createLeaseStore(leasing: Leasing): LeaseStore {
  const { model, clock } = leasing;
  return {
    take: (limit) => take(leasing, limit),
    renew: (lease) => renew(leasing, lease),
    release: (lease, next) => release(leasing, lease, next),
    oldestDue: () => oldestDue(model, clock.now()),
    overdue: (before, examples) => overdue(model, before, examples),
  };
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

/** Webhooks that are due, do not pause, and are not taken or whose lease has expired. */
function dueBy(time: Date): QueryFilter<WebhookDocument> {
  return { deleted_at: null, due_at: trusted({ $lte: time }), lease_until: trusted({ $lte: time }), ...restedBy(time) };
}

/** A pause of more than twice the longest one was written by a process whose clock was ahead, and does not count. */
function restedBy(time: Date): QueryFilter<WebhookDocument> {
  return { rests_until: trusted({ $not: { $gt: time, $lte: new Date(time.getTime() + 2 * LONGEST_REST_MS) } }) };
}

/** Ends a pause. Not null, so that a lease that ends later begins no pause. */
export const NO_REST = { rests_until: new Date(0) } as const;

/** The fields of a webhook without a lease. */
const FREE = { lease_id: null, lease_until: new Date(0) } as const;

async function take({ model, clock, leaseMs }: Leasing, limit: number): Promise<WebhookLease[]> {
  const now = new Date(clock.now());
  const found = await model.find(dueBy(now), WITHOUT_OUTBOX).sort({ due_at: 1 }).limit(limit).lean();
  const leases = found.map(async (document): Promise<WebhookLease[]> => {
    const key = keyOf({ id: document._id, institutionId: document.institution_id });
    const free = { ...key, lease_id: document.lease_id, lease_until: trusted({ $lte: now }), ...restedBy(now) };
    // The lease before was not released: its process has ended.
    const isLost = document.lease_id !== null;
    const lostLeases = (document.lost_leases ?? 0) + (isLost ? 1 : 0);
    const restMs = isLost ? restAfterLostLeases(lostLeases, Math.random()) : 0;
    if (restMs > 0) {
      await model.updateOne(free, { $set: { ...FREE, lost_leases: lostLeases, rests_until: new Date(now.getTime() + restMs) } });
      return [];
    }
    const leaseId = newId();
    const until = new Date(now.getTime() + leaseMs);
    // If the process dies, the webhook is due when the lease has ended.
    const leaseFields = { lease_id: leaseId, lease_until: until, due_at: until, rests_until: null, lost_leases: lostLeases };
    const { matchedCount } = await model.updateOne(free, { $set: leaseFields });
    return matchedCount === 1 ? [{ webhook: toWebhook(document), leaseId, leaseMs, dueAt: until.getTime(), lostLeases }] : [];
  });
  return (await Promise.all(leases)).flat();
}

/**
 * Renews a lease. The due date moves with the end of the lease: a due date in the past would hide deliveries that become due until the lease
 * ends.
 */
async function renew({ model, clock, leaseMs }: Leasing, lease: WebhookLease): Promise<WebhookLease | undefined> {
  const held = heldBy(lease, clock);
  const until = new Date(clock.now() + leaseMs);
  const { matchedCount } = await model.updateOne({ ...held, ...notWoken(lease) }, { $set: { lease_until: until, due_at: until } });
  if (matchedCount === 0 && (await model.updateOne(held, { $set: { lease_until: until } })).matchedCount === 0) return undefined;
  const document = await model.findOne(keyOf(lease.webhook), WITHOUT_OUTBOX).lean();
  return document === null ? undefined : { ...lease, webhook: toWebhook(document), dueAt: until.getTime() };
}

async function release({ model, clock }: Leasing, lease: WebhookLease, { dueAt, restsUntil }: NextDue): Promise<void> {
  const free = { ...FREE, lost_leases: 0 };
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
