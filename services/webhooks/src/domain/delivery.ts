import { pauseAfter } from './backoff.js';

/** Deliveries are kept as long as the events in their stream. */
export const KEPT_MS = 14 * 24 * 3_600_000;

export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** Why a request failed, in a word. */
export type Problem = 'status' | 'redirect' | 'timeout' | 'unresolvable' | 'address_not_public' | 'tls' | 'connection' | 'disabled';

/** What became of a request. */
export interface Answer {
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly problem: Problem | null;
  /** What the target asked for by `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** One event on its way to one webhook. Times are milliseconds since the epoch. */
export interface Delivery {
  /** Of the event: no webhook gets an event twice, unless it is replayed. */
  readonly eventId: string;
  readonly webhookId: string;
  readonly institutionId: string;
  readonly type: string;
  readonly body: string;
  readonly state: DeliveryState;
  /** Since it was created, or replayed. */
  readonly attempts: number;
  readonly createdAt: number;
  /** Null unless it is pending. */
  readonly dueAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly lastStatus: number | null;
  readonly lastProblem: Problem | null;
  readonly deliveredAt: number | null;
  /** Grows with each write. */
  readonly version: number;
}

/** What a write changes. */
export type DeliveryChange = Partial<Omit<Delivery, 'eventId' | 'webhookId' | 'institutionId' | 'type' | 'body' | 'createdAt' | 'version'>>;

/** When an event is to be sent first: at once, also by whoever has a clock that is right when this one was ahead. @param storedAt by the bus */
export function firstDueAt(now: number, storedAt = now): number {
  return Math.min(now, storedAt);
}

/** A delivery after a request. @param random 0 to 1 */
export function afterAttempt(
  { attempts: before }: Pick<Delivery, 'attempts'>,
  answer: Answer,
  now: number,
  random: number,
): DeliveryChange {
  const attempts = before + 1;
  const attempted = { attempts, lastAttemptAt: now, lastStatus: answer.status, lastProblem: answer.problem };
  if (answer.problem === null) return { ...attempted, state: 'delivered', dueAt: null, deliveredAt: now };
  const pause = answer.status === 410 ? undefined : pauseAfter(attempts, random, answer.retryAfterMs);
  return pause === undefined ? { ...attempted, state: 'dead', dueAt: null } : { ...attempted, dueAt: Math.ceil(now + pause) };
}

/** What is due for a disabled webhook. */
export const GIVEN_UP: DeliveryChange = { state: 'dead', dueAt: null, lastProblem: 'disabled' };

/** Deliveries that one call makes due again; the next one goes on from there. */
export const MAX_REPLAYED = 10_000;

/** Due again, as if it had never been tried. */
export function replayed(now: number): DeliveryChange {
  return { state: 'pending', attempts: 0, dueAt: now, lastProblem: null };
}

/** What an answer means: only 2xx is a success, and redirects are not followed. */
export function problemOfStatus(status: number): Problem | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}
