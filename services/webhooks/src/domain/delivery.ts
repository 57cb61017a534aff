import { firstIdAt } from '@stechuhr/kernel';
import { pauseAfter, PAUSES_MS } from './backoff.js';

/** How long deliveries are kept: as long as the events in their stream. */
export const KEPT_MS = 14 * 24 * 3_600_000;

/** The id of an event and its time are made one after the other. */
const MAKING_MS = 1_000;

/** Returns whether the delivery of an event has been removed by age, and with it all that came before. Ids of events begin with their time (UUID version 7). */
export function isRemovedByAge(eventId: string, now: number): boolean {
  return eventId.charAt(14) === '7' && eventId < firstIdAt(now - KEPT_MS + MAKING_MS);
}

/** How many delivered events of a webhook are kept, the latest ones. Otherwise one institution could fill the disk of all. */
export const MAX_DELIVERED = 1_000_000;

/**
 * How many pending and how many dead events of a webhook are kept, the latest ones. An import of a year of five thousand employees publishes two
 * million events, which may all wait for a slow target.
 */
export const MAX_UNDELIVERED = 3_000_000;

export const MAX_DELIVERIES: Readonly<Record<DeliveryState, number>> = {
  pending: MAX_UNDELIVERED,
  dead: MAX_UNDELIVERED,
  delivered: MAX_DELIVERED,
};

/**
 * Returns whether to remove the oldest deliveries after this event was recorded: after one of 4,096. Counting them takes half a second if there are
 * many. The ids of events end at random.
 */
export function isTimeToTrim(eventId: string): boolean {
  return eventId.endsWith('000');
}

export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** Why a request failed. */
export type Problem = 'status' | 'redirect' | 'timeout' | 'unresolvable' | 'address_not_public' | 'tls' | 'connection' | 'disabled';

/** The outcome of a request. */
export interface Answer {
  /** Null if there was no response. */
  readonly status: number | null;
  readonly problem: Problem | null;
  /** The pause that the target requested by `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** The delivery of one event to one webhook. Times are milliseconds since the epoch. */
export interface Delivery {
  /** The id of the event. A webhook receives an event only once, unless it is replayed. */
  readonly eventId: string;
  readonly webhookId: string;
  readonly institutionId: string;
  readonly type: string;
  readonly body: string;
  readonly state: DeliveryState;
  /** The number of attempts since the delivery was created or replayed. */
  readonly attempts: number;
  readonly createdAt: number;
  /** W3C Trace Context of the event; undefined if it was recorded by an earlier version. */
  readonly traceparent: string | undefined;
  /** Null unless the delivery is pending. */
  readonly dueAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly lastStatus: number | null;
  readonly lastProblem: Problem | null;
  readonly deliveredAt: number | null;
  /** Increases with each write. */
  readonly version: number;
}

/** The fields that a write changes. */
export type DeliveryChange = Partial<
  Omit<Delivery, 'eventId' | 'webhookId' | 'institutionId' | 'type' | 'body' | 'createdAt' | 'traceparent' | 'version'>
>;

/**
 * Returns when an event is to be sent first: immediately. The earlier of both times is used, so that a process with a correct clock can
 * send it even if the clock of this process was ahead. @param storedAt when the bus stored the event
 */
export function firstDueAt(now: number, storedAt = now): number {
  return Math.min(now, storedAt);
}

/**
 * Returns the changes to a delivery after a request.
 *
 * @param answer with `isGone`: the target is gone, and its webhook disabled
 * @param random 0 to 1
 */
export function afterAttempt(
  { attempts: before }: Pick<Delivery, 'attempts'>,
  answer: Answer & { readonly isGone: boolean },
  now: number,
  random: number,
): DeliveryChange {
  const attempts = before + 1;
  const attempted = { attempts, lastAttemptAt: now, lastStatus: answer.status, lastProblem: answer.problem };
  if (answer.problem === null) return { ...attempted, state: 'delivered', dueAt: null, deliveredAt: now };
  const pause = answer.isGone ? undefined : pauseAfter(attempts, random, answer.retryAfterMs);
  return pause === undefined ? { ...attempted, state: 'dead', dueAt: null } : { ...attempted, dueAt: Math.ceil(now + pause) };
}

/** Twice as long as all attempts of a delivery should take. */
const LONG_MS = 2 * PAUSES_MS.reduce((sum, pause) => sum + pause, 0);

/**
 * Returns whether a delivery has been due for two days, because its webhook pauses and has more events than it is sent between the pauses.
 * Of those, none reaches its last attempt. The clock by which it is due may be behind that of its event.
 */
export function isDueForLong({ dueAt, createdAt }: Pick<Delivery, 'dueAt' | 'createdAt'>, now: number): boolean {
  return dueAt !== null && now - Math.max(dueAt, createdAt) >= LONG_MS;
}

/** The change for pending deliveries of a disabled webhook. */
export const GIVEN_UP: DeliveryChange = { state: 'dead', dueAt: null, lastProblem: 'disabled' };

/** The maximum number of deliveries that one call replays; the next call continues after them. */
export const MAX_REPLAYED = 10_000;

/** Returns the change that makes a delivery due again, without earlier attempts. */
export function replayed(now: number): DeliveryChange {
  return { state: 'pending', attempts: 0, dueAt: now, lastProblem: null };
}

/** Returns the problem of a status. Only 2xx is a success, and redirects are not followed. */
export function problemOfStatus(status: number): Problem | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}
