/** Webhooks of an institution. */
export const MAX_WEBHOOKS = 10;
/** For how long deliveries are signed with the previous secret, too. */
const OVERLAP_MS = 24 * 3_600_000;
/** Each is a signature in a header of every request. */
const MAX_PREVIOUS_SECRETS = 4;
/** After how long without a success the next delivery that dies disables the webhook. */
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;
/** Clocks of two services differ a little. */
const SKEW_MS = 5_000;

/** The event with which an administrator tries a webhook. */
export const TEST_EVENT = 'webhooks.webhook.tested';

export type DisabledReason = 'manual' | 'gone' | 'failing';

/** What an administrator sets. */
export interface WebhookFields {
  readonly url: string;
  readonly description: string | null;
  /** Null is every event. */
  readonly eventTypes: readonly string[] | null;
  readonly enabled: boolean;
}

export interface PreviousSecret {
  readonly secret: string;
  readonly until: number;
}

/** Where events of an institution are sent. Times are milliseconds since the epoch. */
export interface Webhook extends WebhookFields {
  readonly id: string;
  readonly institutionId: string;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: number | null;
  /** Since when no delivery has succeeded; null when the latest one did. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly secret: string;
  /**
   * Those that may sign, too, the latest first: who has not learned of the present one, because the answer to a rotation was lost, rotates once
   * more, and the receiver still has the one before both.
   */
  readonly previousSecrets: readonly PreviousSecret[];
  /** Grows with each write of an administrator, and when it is disabled. */
  readonly version: number;
}

/** An event as it concerns webhooks. */
export interface HeardEvent {
  readonly id: string;
  readonly institutionId: string;
  /** Of the catalogue, such as `records.workday.changed`. */
  readonly type: string;
  /** When it happened, by the clock of the service that reports it. */
  readonly time: string;
  /** When the bus stored it, by the clock of the bus, in milliseconds since the epoch. */
  readonly storedAt?: number;
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
}

/**
 * Whether an event is delivered to a webhook. A test is delivered to the webhook that it names, and what happened before it existed is not:
 * what was stored later counts as later, since the clock of the service that reports it may be behind.
 */
export function wants(webhook: Pick<Webhook, 'id' | 'eventTypes' | 'createdAt'>, { type, time, storedAt = 0, data }: HeardEvent): boolean {
  if (type === TEST_EVENT) return data.id === webhook.id;
  const isKnown = webhook.eventTypes === null || webhook.eventTypes.includes(type);
  return isKnown && Math.max(Date.parse(time), storedAt) >= webhook.createdAt - SKEW_MS;
}

/** The body of a request: type, time and data as the specification recommends, and the institution. */
export function bodyOf({ type, time, institutionId, data }: HeardEvent): string {
  return JSON.stringify({ type, timestamp: time, institution_id: institutionId, data });
}

/** The webhook with other fields. Enabling it forgets its failures. */
export function changed(webhook: Webhook, fields: WebhookFields, now: number): Webhook {
  const after = { ...webhook, ...fields, modifiedAt: now };
  if (fields.enabled === webhook.enabled) return after;
  if (fields.enabled) return { ...after, disabledReason: null, disabledAt: null, failingSince: null };
  return { ...after, disabledReason: 'manual', disabledAt: now };
}

/** With a new secret; the present one becomes the previous one, and those before it keep their time. */
export function rotated(webhook: Webhook, secret: string, now: number): Webhook {
  const previous = [{ secret: webhook.secret, until: now + OVERLAP_MS }, ...validAt(webhook, now)];
  return { ...webhook, secret, previousSecrets: previous.slice(0, MAX_PREVIOUS_SECRETS), modifiedAt: now };
}

/** The secrets that sign at a time, the present one first. */
export function secretsAt(webhook: Webhook, now: number): readonly string[] {
  return [webhook.secret, ...validAt(webhook, now).map(({ secret }) => secret)];
}

function validAt({ previousSecrets }: Webhook, now: number): readonly PreviousSecret[] {
  return previousSecrets.filter(({ until }) => now < until);
}

/** Whether a delivery that died disables its webhook. */
export function hasFailedForLong({ failingSince }: Pick<Webhook, 'failingSince'>, now: number): boolean {
  return failingSince !== null && now - failingSince >= DISABLE_AFTER_MS;
}
