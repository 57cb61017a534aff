/** Limit of webhooks per institution. */
export const MAX_WEBHOOKS = 10;
/** For how long deliveries are also signed with the previous secret. */
const OVERLAP_MS = 24 * 3_600_000;
/** Each of them adds a signature to the header of every request. */
const MAX_PREVIOUS_SECRETS = 4;
/** After this time without a success, the next delivery that fails for good disables the webhook. */
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;
/** The clocks of two services differ slightly. */
const SKEW_MS = 5_000;

/** The event with which an administrator tests a webhook. */
export const TEST_EVENT = 'webhooks.webhook.tested';

export type DisabledReason = 'manual' | 'gone' | 'failing';

/** The fields that an administrator sets. */
export interface WebhookFields {
  readonly url: string;
  readonly description: string | null;
  /** Null means every event. */
  readonly eventTypes: readonly string[] | null;
  readonly enabled: boolean;
}

export interface PreviousSecret {
  readonly secret: string;
  readonly until: number;
}

/** A URL to which events of an institution are sent. Times are milliseconds since the epoch. */
export interface Webhook extends WebhookFields {
  readonly id: string;
  readonly institutionId: string;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: number | null;
  /** Since when no delivery has succeeded; null if the latest one did. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly secret: string;
  /**
   * Previous secrets that still sign, latest first. There may be several: if the response to a rotation is lost, an administrator rotates again,
   * while the receiver still has the secret from before both.
   */
  readonly previousSecrets: readonly PreviousSecret[];
  /** Increases with each change by an administrator, and when the webhook is disabled. */
  readonly version: number;
}

/** The parts of an event that webhooks need. */
export interface HeardEvent {
  readonly id: string;
  readonly institutionId: string;
  /** From the catalogue, such as `records.workday.changed`. */
  readonly type: string;
  /** When it happened, by the clock of the service that published it. */
  readonly time: string;
  /** When the bus stored it, by the clock of the bus, in milliseconds since the epoch. */
  readonly storedAt?: number;
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
}

/**
 * Whether an event is delivered to a webhook. A test is delivered only to the webhook that it names. Events from before the webhook was created are
 * not delivered; the later of both times is used, since the clock of the publishing service may be behind.
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

/** The webhook with changed fields. Enabling it resets its failures. */
export function changed(webhook: Webhook, fields: WebhookFields, now: number): Webhook {
  const after = { ...webhook, ...fields, modifiedAt: now };
  if (fields.enabled === webhook.enabled) return after;
  if (fields.enabled) return { ...after, disabledReason: null, disabledAt: null, failingSince: null };
  return { ...after, disabledReason: 'manual', disabledAt: now };
}

/** The webhook with a new secret; the present one becomes a previous one, and those before it keep their expiry. */
export function rotated(webhook: Webhook, secret: string, now: number): Webhook {
  const previous = [{ secret: webhook.secret, until: now + OVERLAP_MS }, ...validAt(webhook, now)];
  return { ...webhook, secret, previousSecrets: previous.slice(0, MAX_PREVIOUS_SECRETS), modifiedAt: now };
}

/** The secrets that sign at a certain time, the current one first. */
export function secretsAt(webhook: Webhook, now: number): readonly string[] {
  return [webhook.secret, ...validAt(webhook, now).map(({ secret }) => secret)];
}

function validAt({ previousSecrets }: Webhook, now: number): readonly PreviousSecret[] {
  return previousSecrets.filter(({ until }) => now < until);
}

/** Whether a delivery that failed for good disables its webhook. */
export function hasFailedForLong({ failingSince }: Pick<Webhook, 'failingSince'>, now: number): boolean {
  return failingSince !== null && now - failingSince >= DISABLE_AFTER_MS;
}
