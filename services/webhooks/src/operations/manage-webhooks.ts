import { AppError, newId, type Page, type PageRequest } from '@stechuhr/kernel';
import type { InstitutionRemoval } from '@stechuhr/mongo';
import { newSecret } from '../domain/signature.js';
import { changed, MAX_WEBHOOKS, rotated, type Webhook } from '../domain/webhook.js';
import { judgeChange, judgeWebhook } from './judge-webhook.js';
import type { Ports, Tenant } from './ports.js';

const MAX_TRIES = 20;

/** Returns a webhook of the institution. @throws AppError `not_found` */
export async function getWebhook({ webhooks }: Pick<Ports, 'webhooks'>, tenant: Tenant, id: string): Promise<Webhook> {
  const found = await webhooks.find(tenant, id);
  if (found === undefined) throw noSuchWebhook();
  return found;
}

export function noSuchWebhook(): AppError {
  return new AppError('not_found', 'Not found.');
}

/** Returns a page of webhooks. An institution has few, so all of them are read and then paginated. */
export async function listWebhooks({ webhooks }: Ports, tenant: Tenant, { limit, offset }: PageRequest): Promise<Page<Webhook>> {
  const all = await webhooks.list(tenant);
  return { count: all.length, results: all.slice(offset, offset + limit) };
}

/** Creates a webhook with a secret. @throws AppError `invalid` */
export async function createWebhook(ports: Ports, tenant: Tenant, json: string): Promise<Webhook> {
  const { webhooks, clock, eventClock, event, notifyOutbox } = ports;
  const fields = judgeWebhook(ports, json);
  const now = clock.now();
  // Without an answer of the bus, the clock of this process has to do.
  const eventsFrom = (await eventClock()) ?? now;
  const off = { disabledReason: 'manual', disabledAt: now } as const;
  const webhook: Webhook = {
    id: newId(),
    ...tenant,
    ...fields,
    ...(fields.enabled ? { disabledReason: null, disabledAt: null } : off),
    failingSince: null,
    createdAt: now,
    eventsFrom,
    modifiedAt: now,
    secret: newSecret(),
    previousSecrets: [],
    version: 0,
  };
  if (!(await webhooks.insertWithin(MAX_WEBHOOKS, webhook, event('webhooks.webhook.created', webhook)))) {
    throw AppError.invalid({ non_field_errors: [`The institution has ${String(MAX_WEBHOOKS)} webhooks. Delete one first.`] });
  }
  notifyOutbox();
  return webhook;
}

/** The id of a webhook and the body of a request about it. */
export interface WebhookInput {
  readonly id: string;
  readonly json: string;
}

/**
 * Changes a webhook. If nothing changes, `modifiedAt` stays and no event is published; only its pause ends.
 *
 * @throws AppError `not_found`, even if the body is invalid; `invalid`
 */
export async function updateWebhook(ports: Ports, tenant: Tenant, { id, json }: WebhookInput): Promise<Webhook> {
  await getWebhook(ports, tenant, id);
  const change = judgeChange(ports, json);
  return writeWebhook(ports, tenant, id, (before) => changed(before, change, ports.clock.now()));
}

/** Replaces the secret of a webhook. @throws AppError `not_found` */
export function rotateSecret(ports: Ports, tenant: Tenant, id: string): Promise<Webhook> {
  return writeWebhook(ports, tenant, id, (before) => rotated(before, newSecret(), ports.clock.now()));
}

/** Deletes a webhook. Its deliveries are deleted in the background. @throws AppError `not_found` */
export async function deleteWebhook(ports: Ports, tenant: Tenant, id: string): Promise<void> {
  const webhook = await getWebhook(ports, tenant, id);
  if (!(await removeWebhook(ports, webhook))) throw noSuchWebhook();
}

/** The maximum difference between the clocks of two machines. With a greater one, S3 signatures and certificates fail anyway. */
const CLOCKS_DIFFER_MS = 3_600_000;
/** Longer than a request takes from the check of its token until its webhook is stored. */
const LONGEST_REQUEST_MS = 60_000;

/**
 * Deletes the webhooks of a deleted institution. It can be repeated. If an institution with the same id was created again, webhooks created
 * long after the deletion belong to it and are kept. Webhooks created within an hour after the deletion are deleted, because the clock of
 * the records service, which states its time, may be behind. If the deletion is delivered again, only what the first removal missed is deleted.
 */
export async function removeInstitution(ports: Ports, deletion: Tenant & { readonly deletedAt: Date }): Promise<void> {
  const before = await ports.removals.plan(deletion);
  if (before === undefined) await removeCreatedBy(ports, deletion, latestOf(deletion));
  else await removeMissed(ports, before);
}

/**
 * Deletes webhooks of deleted institutions that requests have created whose token was checked before the deletion: the first removal did not find them.
 * Webhooks that were created more than a minute after it belong to an institution that was created again.
 */
export function repeatRemovals(ports: Ports): Promise<void> {
  return ports.removals.repeatDue((removal) => removeMissed(ports, removal));
}

function removeMissed(ports: Ports, removal: InstitutionRemoval): Promise<void> {
  return removeCreatedBy(ports, removal, Math.min(removal.removedAt.getTime() + LONGEST_REQUEST_MS, latestOf(removal)));
}

function latestOf({ deletedAt }: { readonly deletedAt: Date }): number {
  return deletedAt.getTime() + CLOCKS_DIFFER_MS;
}

async function removeCreatedBy(ports: Ports, tenant: Tenant, latest: number): Promise<void> {
  for (const webhook of await ports.webhooks.list(tenant)) if (webhook.createdAt <= latest) await removeWebhook(ports, webhook);
}

async function removeWebhook({ webhooks, event, notifyOutbox }: Ports, webhook: Webhook): Promise<boolean> {
  const removed = await webhooks.remove(webhook, event('webhooks.webhook.deleted', webhook));
  notifyOutbox();
  return removed;
}

const DELETED_AT_A_TIME = 100;

/**
 * Deletes the deliveries of deleted webhooks, which may be very many, and finally the documents of the webhooks. It can be interrupted at any time.
 * Whoever creates a delivery later finds the webhook deleted, and deletes it; if it is killed before, a later call does.
 */
export async function purgeDeleted({ webhooks, deliveries }: Pick<Ports, 'webhooks' | 'deliveries'>, signal: AbortSignal): Promise<void> {
  for (const key of await webhooks.deleted(DELETED_AT_A_TIME)) {
    while (await deliveries.removeSome(key)) signal.throwIfAborted();
    await webhooks.drop(key);
  }
}

async function writeWebhook(ports: Ports, tenant: Tenant, id: string, decide: (before: Webhook) => Webhook): Promise<Webhook> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await getWebhook(ports, tenant, id);
    const after = decide(before);
    if (after === before) {
      await ports.webhooks.wakeAtOnce(before);
      ports.wakeSender();
      return before;
    }
    if (await ports.webhooks.replace(before, after, ports.event('webhooks.webhook.updated', after))) {
      ports.notifyOutbox();
      ports.wakeSender();
      return after;
    }
  }
  throw new AppError('unavailable', 'The webhook is changing too fast.');
}
