import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock, FairLimiter, Page, PageRequest } from '@stechuhr/kernel';
import type { RepeatedRemovals } from '@stechuhr/mongo';
import type { Answer, Delivery, DeliveryChange, DeliveryState } from '../domain/delivery.js';
import type { Webhook } from '../domain/webhook.js';

/** The institution whose data is accessed; data of others is treated as missing. */
export interface Tenant {
  readonly institutionId: string;
}

/** A lease on a webhook: this process sends its due deliveries until the lease ends. */
export interface WebhookLease {
  readonly webhook: Webhook;
  readonly leaseId: string;
  /** How long the lease is valid after each renewal, in milliseconds. */
  readonly leaseMs: number;
  /** When the webhook is due again, unless it is woken earlier. */
  readonly dueAt: number;
  /** The number of earlier leases in a row that ended with their process. */
  readonly lostLeases: number;
}

/** When a webhook is taken again. */
export interface NextDue {
  /** When its next delivery is due; undefined if there is none. */
  readonly dueAt: number | undefined;
  /** Until when it is paused, whatever becomes due meanwhile; 0 for no pause. */
  readonly restsUntil: number;
}

export interface WebhookStore {
  /** Stores a webhook unless its institution already has `max` webhooks, also under concurrent calls. @returns whether it was stored */
  insertWithin(max: number, webhook: Webhook, event: CloudEvent): Promise<boolean>;
  find(tenant: Tenant, id: string): Promise<Webhook | undefined>;
  /** Returns the webhooks by time of creation. */
  list(tenant: Tenant): Promise<Webhook[]>;
  /** Like `list`, but some milliseconds later, so that the lookups of several events are combined. */
  listForEvent(tenant: Tenant): Promise<Webhook[]>;
  /** Adds an event to the outbox of the webhook. Returns false if the webhook was deleted. */
  announce(webhook: Webhook, event: CloudEvent): Promise<boolean>;
  /** Replaces a webhook, and wakes it at once. Returns false if it was deleted or has changed since it was read. */
  replace(before: Webhook, after: Webhook, event: CloudEvent): Promise<boolean>;
  /** Deletes a webhook; its document is kept until `drop`. Returns false if it does not exist any more. */
  remove(webhook: Webhook, event: CloudEvent): Promise<boolean>;
  /** Returns some deleted webhooks whose deliveries have to be deleted: soon after the deletion, and again about an hour later. */
  deleted(limit: number): Promise<WebhookKey[]>;
  /**
   * Removes the document of a deleted webhook, unless it has unpublished events or was deleted less than an hour ago; `deleted` then returns it again
   * in an hour.
   */
  drop(key: WebhookKey): Promise<void>;

  /**
   * Marks the webhook as due, by default now, but not before its pause ends. Concurrent calls are written together. Returns false if it was deleted.
   */
  wake(webhook: Pick<Webhook, 'id' | 'institutionId'>, dueAt?: number): Promise<boolean>;
  /** Marks the webhook as due now and ends its pause, because an administrator wants something to be sent. */
  wakeAtOnce(webhook: Pick<Webhook, 'id' | 'institutionId'>): Promise<void>;
  /**
   * Takes leases on webhooks that are due, the longest due first. A webhook is not taken again while its lease is valid, and pauses after several leases
   * in a row ended with their process.
   */
  take(limit: number): Promise<WebhookLease[]>;
  /** Extends a lease and returns it with the current state of the webhook; undefined if the lease has ended or the webhook was deleted. */
  renew(lease: WebhookLease): Promise<WebhookLease | undefined>;
  /** Ends a lease. */
  release(lease: WebhookLease, next: NextDue): Promise<void>;
  /** Records that the webhook fails since `now`, unless it has been failing already. */
  failed(webhook: Webhook, now: number): Promise<void>;
  succeeded(webhook: Webhook): Promise<void>;
  /** Returns since when the webhook that waits the longest has been due; undefined if none is due. */
  oldestDue(): Promise<number | undefined>;
  /** Counts the webhooks that have been due since before this time, with some of their ids. */
  overdue(before: number, examples: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
}

/** The filter, order and page of a list of deliveries. */
export interface DeliveryPage extends PageRequest {
  /** Undefined means all. */
  readonly states: readonly DeliveryState[] | undefined;
  readonly oldestFirst: boolean;
}

/** Selects the deliveries of a webhook to send again, oldest first. */
export interface Replay {
  /** Only deliveries that were created at or after this time. */
  readonly since: number;
  readonly states: readonly DeliveryState[];
  /** Only deliveries that come after this one. */
  readonly after: Pick<Delivery, 'eventId' | 'createdAt'> | undefined;
  readonly limit: number;
}

export interface Replayed {
  /** The number of deliveries that are due again. */
  readonly count: number;
  /** The id of the last event of this call, if there are more. */
  readonly next: string | undefined;
}

/** Identifies a webhook. */
export type WebhookKey = Pick<Delivery, 'webhookId' | 'institutionId'>;

/** A delivery without the body that is sent. */
export type ListedDelivery = Omit<Delivery, 'body'>;

export interface DeliveryStore {
  /** Stores a delivery, unless the webhook already has one for the event. Concurrent calls are written together. @returns whether it is new */
  insert(delivery: Delivery): Promise<boolean>;
  find(key: WebhookKey, eventId: string): Promise<Delivery | undefined>;
  list(key: WebhookKey, page: DeliveryPage): Promise<Page<ListedDelivery>>;
  /** Returns some due deliveries, the longest due first. */
  due(key: WebhookKey, limit: number): Promise<Delivery[]>;
  /** Returns when the next delivery of a webhook is due. */
  nextDue(key: WebhookKey): Promise<number | undefined>;
  /** Changes a delivery. Returns false if it has changed since it was read, or was deleted. */
  save(before: Delivery, change: DeliveryChange): Promise<boolean>;
  replay(key: WebhookKey, replay: Replay): Promise<Replayed>;
  /** Deletes the delivery of an event. */
  remove(key: WebhookKey, eventId: string): Promise<void>;
  /** Deletes some deliveries. Returns false if there are none. */
  removeSome(key: WebhookKey): Promise<boolean>;
  /** Deletes the oldest deliveries, so that about `max` are left in each state. */
  trim(key: WebhookKey, max: Readonly<Record<DeliveryState, number>>): Promise<void>;
  /** Deletes deliveries of all webhooks that were created before this time. */
  removeBefore(createdAt: number): Promise<void>;
}

/** One request to a webhook. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request. Never rejects. */
export type Send = (request: OutgoingRequest) => Promise<Answer>;

export type WebhookEventType =
  | 'webhooks.webhook.created'
  | 'webhooks.webhook.updated'
  | 'webhooks.webhook.disabled'
  | 'webhooks.webhook.deleted'
  | 'webhooks.webhook.tested';

/** The dependencies of the operations. */
export interface Ports {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly removals: RepeatedRemovals;
  readonly send: Send;
  /** Runs a task in the trace of its cause and in no other. */
  inTrace<T>(traceparent: string | undefined, task: () => T): T;
  readonly clock: Clock;
  /** Returns the time by the clock of the bus, in milliseconds since the epoch; undefined if the bus does not answer. */
  eventClock(): Promise<number | undefined>;
  /** Names and addresses that need not be public. */
  readonly allowedHosts: readonly string[];
  /** Limits concurrent requests, fairly between institutions. */
  readonly inRequestSlot: FairLimiter;
  event(type: WebhookEventType, webhook: Pick<Webhook, 'id' | 'institutionId'>, more?: Readonly<Record<string, string>>): CloudEvent;
  /** Notifies the relay that an event was written into an outbox. Does not wait. */
  notifyOutbox(): void;
  /** Makes the sender look for due deliveries. Does not wait. */
  wakeSender(): void;
}
