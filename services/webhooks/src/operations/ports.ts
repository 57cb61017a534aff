import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock, FairLimiter, Page, PageRequest } from '@stechuhr/kernel';
import type { Answer, Delivery, DeliveryChange, DeliveryState } from '../domain/delivery.js';
import type { Webhook } from '../domain/webhook.js';

/** The institution whose data is accessed; data of others does not exist. */
export interface Tenant {
  readonly institutionId: string;
}

/** A webhook whose due deliveries this process sends until its lease ends. */
export interface Turn {
  readonly webhook: Webhook;
  readonly leaseId: string;
  /** The duration of the lease after each renewal. */
  readonly leaseMs: number;
  /** When it is due again by default. */
  readonly dueAt: number;
}

export interface WebhookStore {
  /**
   * Stores a webhook unless its institution already has `max`, even if several are stored concurrently.
   * @returns whether it was stored
   */
  insertWithin(max: number, webhook: Webhook, event: CloudEvent): Promise<boolean>;
  find(tenant: Tenant, id: string): Promise<Webhook | undefined>;
  /** Ordered by creation time. */
  list(tenant: Tenant): Promise<Webhook[]>;
  /** As `list`, but combines the queries of events that arrive within some milliseconds. */
  listForEvent(tenant: Tenant): Promise<Webhook[]>;
  /** Adds an event to the webhook's outbox; false if the webhook was deleted. */
  announce(webhook: Webhook, event: CloudEvent): Promise<boolean>;
  /** False if the webhook was deleted, or changed since it was read. */
  replace(before: Webhook, after: Webhook, event: CloudEvent): Promise<boolean>;
  /** False if the webhook no longer exists. */
  remove(webhook: Webhook, event: CloudEvent): Promise<boolean>;

  /** Sets when something is due for it; now by default. */
  wake(webhook: Pick<Webhook, 'id' | 'institutionId'>, dueAt?: number): Promise<void>;
  /** Takes webhooks with due deliveries, in the order of their due times; none is taken twice during its lease. */
  take(limit: number): Promise<Turn[]>;
  /** Extends the lease and returns the turn with the current webhook; undefined if the lease has ended or the webhook was deleted. */
  renew(turn: Turn): Promise<Turn | undefined>;
  /**
   * Ends a turn.
   * @param dueAt when something is due next; undefined if nothing is
   */
  release(turn: Turn, dueAt: number | undefined): Promise<void>;
  /** Records that the webhook is failing, from now on if it was not failing before. */
  failed(webhook: Webhook, now: number): Promise<void>;
  succeeded(webhook: Webhook): Promise<void>;
  /** When the webhook that has waited longest became due; undefined if none is due. */
  oldestDue(): Promise<number | undefined>;
  /** How many webhooks have been due since that time, and some of them. */
  overdue(before: number, examples: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
}

/** Selects the deliveries of a webhook for a list. */
export interface DeliveryPage extends PageRequest {
  /** Undefined means all. */
  readonly states: readonly DeliveryState[] | undefined;
  readonly oldestFirst: boolean;
}

/** Selects the deliveries of a webhook to be replayed, oldest first. */
export interface Replay {
  /** Created at that time or later. */
  readonly since: number;
  readonly states: readonly DeliveryState[];
  /** Only those after this one. */
  readonly after: Pick<Delivery, 'eventId' | 'createdAt'> | undefined;
  readonly limit: number;
}

export interface Replayed {
  /** How many were made due. */
  readonly count: number;
  /** The last event that was checked, if there are more. */
  readonly next: string | undefined;
}

/** Identifies a webhook. */
export type WebhookKey = Pick<Delivery, 'webhookId' | 'institutionId'>;

export interface DeliveryStore {
  /** Does nothing if the webhook already has a delivery of the event. */
  insert(delivery: Delivery): Promise<void>;
  find(key: WebhookKey, eventId: string): Promise<Delivery | undefined>;
  list(key: WebhookKey, page: DeliveryPage): Promise<Page<Delivery>>;
  /** Some due deliveries, in the order of their due times. */
  due(key: WebhookKey, limit: number): Promise<Delivery[]>;
  /** When the next delivery of a webhook is due. */
  nextDue(key: WebhookKey): Promise<number | undefined>;
  /** False if the delivery has changed since it was read, or no longer exists. */
  save(before: Delivery, change: DeliveryChange): Promise<boolean>;
  replay(key: WebhookKey, replay: Replay): Promise<Replayed>;
  removeOf(key: WebhookKey): Promise<void>;
  /** Removes all deliveries that were created before. */
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

/** What the operations need, regardless of the caller. */
export interface Ports {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly send: Send;
  readonly clock: Clock;
  /** Names and addresses that need not be public. */
  readonly allowedHosts: readonly string[];
  /** Limits concurrent requests, fairly between institutions. */
  readonly inRequestSlot: FairLimiter;
  event(type: WebhookEventType, webhook: Pick<Webhook, 'id' | 'institutionId'>, more?: Readonly<Record<string, string>>): CloudEvent;
  /** Notifies the relay of an event in an outbox; does not block. */
  notifyOutbox(): void;
  /** Starts sending what is due; does not block. */
  wakeSender(): void;
}
