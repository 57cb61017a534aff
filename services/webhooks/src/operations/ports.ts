import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock, FairLimiter, Page, PageRequest } from '@stechuhr/kernel';
import type { Answer, Delivery, DeliveryChange, DeliveryState } from '../domain/delivery.js';
import type { Webhook } from '../domain/webhook.js';

/** Whose data is meant: nothing outside the institution exists. */
export interface Tenant {
  readonly institutionId: string;
}

/** A webhook whose due deliveries this process sends, until the lease ends. */
export interface Turn {
  readonly webhook: Webhook;
  readonly leaseId: string;
  /** For how long it is its own after each renewal. */
  readonly leaseMs: number;
  /** When it is due again unless somebody says otherwise. */
  readonly dueAt: number;
}

export interface WebhookStore {
  /** Stores a webhook unless its institution has so many by then, also when several are stored at the same time. @returns whether it was */
  insertWithin(max: number, webhook: Webhook, event: CloudEvent): Promise<boolean>;
  find(tenant: Tenant, id: string): Promise<Webhook | undefined>;
  /** By the time of creation. */
  list(tenant: Tenant): Promise<Webhook[]>;
  /** The same, some milliseconds later: together with what other events ask. */
  listForEvent(tenant: Tenant): Promise<Webhook[]>;
  /** Leaves an event with the webhook, to be published; false when the webhook was deleted. */
  announce(webhook: Webhook, event: CloudEvent): Promise<boolean>;
  /** False when the webhook was deleted, or changed since it was read. */
  replace(before: Webhook, after: Webhook, event: CloudEvent): Promise<boolean>;
  /** False when there is no such webhook any more. */
  remove(webhook: Webhook, event: CloudEvent): Promise<boolean>;

  /** Something is due for it, now by default. */
  wake(webhook: Pick<Webhook, 'id' | 'institutionId'>, dueAt?: number): Promise<void>;
  /** Takes some webhooks for which something is due, the longest due first; none is taken twice while its lease lasts. */
  take(limit: number): Promise<Turn[]>;
  /** Extends the lease and answers the turn with the webhook as it is now; undefined when it has ended or the webhook was deleted. */
  renew(turn: Turn): Promise<Turn | undefined>;
  /** Ends a turn. @param dueAt when something is due next; undefined when nothing is */
  release(turn: Turn, dueAt: number | undefined): Promise<void>;
  /** Since when the webhook fails: since before, or now. */
  failed(webhook: Webhook, now: number): Promise<void>;
  succeeded(webhook: Webhook): Promise<void>;
  /** When the webhook was due that waits the longest; undefined when none is due. */
  oldestDue(): Promise<number | undefined>;
  /** How many webhooks have been due since then, and some of them. */
  overdue(before: number, examples: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
}

/** Which deliveries of a webhook a list shows. */
export interface DeliveryPage extends PageRequest {
  /** Undefined means all. */
  readonly states: readonly DeliveryState[] | undefined;
  readonly oldestFirst: boolean;
}

/** Which deliveries of a webhook are to be sent again, oldest first. */
export interface Replay {
  /** Created since then. */
  readonly since: number;
  readonly states: readonly DeliveryState[];
  /** Only those that come after it. */
  readonly after: Pick<Delivery, 'eventId' | 'createdAt'> | undefined;
  readonly limit: number;
}

export interface Replayed {
  /** How many are due again. */
  readonly count: number;
  /** The last event that was looked at, where there are more. */
  readonly next: string | undefined;
}

/** Which webhook is meant. */
export type WebhookKey = Pick<Delivery, 'webhookId' | 'institutionId'>;

export interface DeliveryStore {
  /** Nothing when the webhook has one of the event. */
  insert(delivery: Delivery): Promise<void>;
  find(key: WebhookKey, eventId: string): Promise<Delivery | undefined>;
  list(key: WebhookKey, page: DeliveryPage): Promise<Page<Delivery>>;
  /** Some that are due, the longest due first. */
  due(key: WebhookKey, limit: number): Promise<Delivery[]>;
  /** When the next one of a webhook is due. */
  nextDue(key: WebhookKey): Promise<number | undefined>;
  /** False when the delivery has changed since it was read, or is gone. */
  save(before: Delivery, change: DeliveryChange): Promise<boolean>;
  replay(key: WebhookKey, replay: Replay): Promise<Replayed>;
  removeOf(key: WebhookKey): Promise<void>;
  /** Removes those that were created before, whosoever. */
  removeBefore(createdAt: number): Promise<void>;
}

/** One request to a webhook. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Never rejects. */
export type Send = (request: OutgoingRequest) => Promise<Answer>;

export type WebhookEventType =
  | 'webhooks.webhook.created'
  | 'webhooks.webhook.updated'
  | 'webhooks.webhook.disabled'
  | 'webhooks.webhook.deleted'
  | 'webhooks.webhook.tested';

/** What the operations need, independent of the caller. */
export interface Ports {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly send: Send;
  readonly clock: Clock;
  /** Names and addresses that need not be public. */
  readonly allowedHosts: readonly string[];
  /** Requests at a time, in turns by institution. */
  readonly inRequestSlot: FairLimiter;
  event(type: WebhookEventType, webhook: Pick<Webhook, 'id' | 'institutionId'>, more?: Readonly<Record<string, string>>): CloudEvent;
  /** Notifies the relay of an event in an outbox; returns at once. */
  notifyOutbox(): void;
  /** Has what is due sent; returns at once. */
  wakeSender(): void;
}
