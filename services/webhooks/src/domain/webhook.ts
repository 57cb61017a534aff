/** The maximum number of webhooks of an institution. */
export const MAX_WEBHOOKS = 10;
/** How long deliveries are also signed with the previous secret, in milliseconds. */
const OVERLAP_MS = 24 * 3_600_000;
/** Limits the size of the signature header, which has one signature for each secret. */
const MAX_PREVIOUS_SECRETS = 4;
/** If no delivery has succeeded for this time, the next delivery that dies, or has been due for long, disables the webhook. */
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;
/** Tolerance for differences between the clocks of the servers of the bus, which take turns in storing events. */
const SKEW_MS = 5_000;

/** The type of the event with which an administrator tests a webhook. */
export const TEST_EVENT = 'webhooks.webhook.tested';

export type DisabledReason = 'manual' | 'gone' | 'failing';

/** The fields that an administrator sets. */
export interface WebhookFields {
  readonly url: string;
  readonly description: string | null;
  /** Null means all events. */
  readonly eventTypes: readonly string[] | null;
  readonly enabled: boolean;
}

export interface PreviousSecret {
  readonly secret: string;
  readonly until: number;
}

/** A webhook: an address to which events of an institution are sent. Times are milliseconds since the epoch. */
export interface Webhook extends WebhookFields {
  readonly id: string;
  readonly institutionId: string;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: number | null;
  /** Since when no delivery has succeeded; null if the latest one did. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  /** When it was created by the clock of the bus, in milliseconds since the epoch. Only events that were stored after this are delivered. */
  readonly eventsFrom: number;
  readonly modifiedAt: number;
  readonly secret: string;
  /**
   * Earlier secrets that are still used for signatures, the latest first. There may be several: a client that lost the response to a
   * rotation rotates again, while its receiver still has the secret before both rotations.
   */
  readonly previousSecrets: readonly PreviousSecret[];
  /** Grows with each write by an administrator, and when the webhook is disabled. */
  readonly version: number;
}

/** The part of an event that webhooks need. */
export interface PlatformEvent {
  readonly id: string;
  readonly institutionId: string;
  /** The type in the event catalogue, such as `records.workday.changed`. */
  readonly type: string;
  /** When it happened, by the clock of the publishing service. */
  readonly time: string;
  /** When the bus stored it, by the clock of the bus, in milliseconds since the epoch; undefined for one that has not come from the bus. */
  readonly storedAt?: number;
  /** W3C Trace Context of what announced it. */
  readonly traceparent?: string | undefined;
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
}

/**
 * Returns whether an event is delivered to a webhook. A test event is delivered only to the webhook that it names. Events before the
 * creation of the webhook are not delivered. Both are times by the clock of the bus: those of this service and of the publishing service may differ.
 */
export function wants(
  webhook: Pick<Webhook, 'id' | 'eventTypes' | 'eventsFrom'>,
  { type, time, storedAt = Date.parse(time), data }: PlatformEvent,
): boolean {
  if (type === TEST_EVENT) return data.id === webhook.id;
  const isKnown = webhook.eventTypes === null || webhook.eventTypes.includes(type);
  return isKnown && storedAt >= webhook.eventsFrom - SKEW_MS;
}

/** Returns the body of a request: type, time and data as the specification recommends, and the institution. */
export function bodyOf({ type, time, institutionId, data }: PlatformEvent): string {
  return JSON.stringify({ type, timestamp: time, institution_id: institutionId, data });
}

const FIELDS = ['url', 'description', 'eventTypes', 'enabled'] as const satisfies (keyof WebhookFields)[];

/** Returns the webhook with changed fields, or itself if none of them differs. Enabling it resets its failures. */
export function changed(webhook: Webhook, change: Partial<WebhookFields>, now: number): Webhook {
  const after = { ...webhook, ...change, modifiedAt: now };
  if (FIELDS.every((field) => JSON.stringify(after[field]) === JSON.stringify(webhook[field]))) return webhook;
  if (after.enabled === webhook.enabled) return after;
  if (after.enabled) return { ...after, disabledReason: null, disabledAt: null, failingSince: null };
  return { ...after, disabledReason: 'manual', disabledAt: now };
}

/** Returns the webhook with a new secret. The current one becomes the previous one; the validity of earlier ones does not change. */
export function rotated(webhook: Webhook, secret: string, now: number): Webhook {
  const previous = [{ secret: webhook.secret, until: now + OVERLAP_MS }, ...validAt(webhook, now)];
  return { ...webhook, secret, previousSecrets: previous.slice(0, MAX_PREVIOUS_SECRETS), modifiedAt: now };
}

/** Returns the secrets that are used for signatures at a time, the current one first. */
export function secretsAt(webhook: Webhook, now: number): readonly string[] {
  return [webhook.secret, ...validAt(webhook, now).map(({ secret }) => secret)];
}

function validAt({ previousSecrets }: Webhook, now: number): readonly PreviousSecret[] {
  return previousSecrets.filter(({ until }) => now < until);
}

/** Returns whether a delivery that died, or has been due for long, disables its webhook. */
export function hasFailedForLong({ failingSince }: Pick<Webhook, 'failingSince'>, now: number): boolean {
  return failingSince !== null && now - failingSince >= DISABLE_AFTER_MS;
}
